// The profile of an account, with its posts. It takes the addresses below `/@user`.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { ApiError } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { findAccount, relationshipOf } from '../state/accounts.ts'
import { texts } from '../texts.ts'
import { accountPath } from '../ui/account-line.tsx'
import { nameWithEmojis, plainName } from '../ui/emoji-text.tsx'
import { Page } from '../ui/page.tsx'
import { PinScreen } from '../ui/pin-screen.tsx'
import { Empty, LoadingOrFailed } from '../ui/state-message.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { isRemote } from './handle.tsx'
import { lookupOf, refreshLookup } from './lookup.ts'
import { ProfileFeatured } from './profile-featured.tsx'
import { ProfileHeader } from './profile-header.tsx'
import { ProfileNetwork } from './profile-network.tsx'
import { MovedNotice, ProfileGate, RemoteNotice } from './profile-states.tsx'
import { ProfileMedia, ProfilePosts, ProfileReplies, ProfileTagged } from './profile-timelines.tsx'
import { useRelationshipChanges } from './relationship-changes.ts'
import { RelationshipNotices } from './relationship-notices.tsx'
import './profile-screen.css'

/** `section`: what stands in the address after the handle, such as `with_replies`. */
type ProfileProps = { acct: string; section: string; tag: string | undefined }

export function ProfileScreen({ acct, section, tag }: ProfileProps) {
  const { id, error } = lookupOf(acct).value
  const account = id === null ? undefined : findAccount(id)?.value
  useEffect(() => void refreshLookup(acct), [acct])
  useRelationshipChanges(() => void refreshLookup(acct), acct)
  if (!account) return <MissingProfile acct={acct} error={error} />
  if (section === 'followers' || section === 'following') return <ProfileNetwork account={account} list={section} />
  return <KnownProfile account={account} section={section} tag={tag} />
}

function MissingProfile({ acct, error }: { acct: string; error: unknown }) {
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <Page title={`@${acct}`}>
      {isMissing ? (
        <Empty>{texts.accounts.not_found({ handle: `@${acct}` })}</Empty>
      ) : (
        <LoadingOrFailed loaded={{ error, reload: () => void refreshLookup(acct) }} />
      )}
    </Page>
  )
}

const pathOf = (account: Account, section: string, tag: string | undefined): string =>
  [accountPath(account), section, tag && encodeURIComponent(tag)].filter(Boolean).join('/')

function KnownProfile({ account, section, tag }: Omit<ProfileProps, 'acct'> & { account: Account }) {
  const showsPosts = !relationshipOf(account.id).value?.blocked_by
  return (
    <Page
      title={plainName(account)}
      heading={nameWithEmojis(account)}
      actions={<PinScreen path={pathOf(account, section, tag)} title={plainName(account)} />}
    >
      <MovedNotice account={account} />
      <RelationshipNotices account={account} />
      <ProfileGate account={account}>
        <ProfileHeader account={account} />
        {showsPosts && (
          <>
            <ProfileTabs account={account} section={section} />
            <div class="profile-content">
              <Section account={account} section={section} tag={tag} />
              {isRemote(account) && section !== 'featured' && <RemoteNotice account={account} />}
            </div>
          </>
        )}
      </ProfileGate>
    </Page>
  )
}

function ProfileTabs({ account, section }: { account: Account; section: string }) {
  const t = texts.accounts
  const path = accountPath(account)
  const tabs = [
    { href: path, label: t.posts },
    { href: `${path}/with_replies`, label: t.with_replies },
    ...(account.show_media ? [{ href: `${path}/media`, label: t.media }] : []),
    ...(account.show_featured ? [{ href: `${path}/featured`, label: t.featured }] : []),
  ]
  return (
    <div class="profile-tabs">
      <Tabs label={t.profile} tabs={tabs} current={section === '' ? path : `${path}/${section}`} />
    </div>
  )
}

function Section({ account, section, tag }: Omit<ProfileProps, 'acct'> & { account: Account }): ComponentChildren {
  if (section === 'with_replies') return <ProfileReplies account={account} />
  if (section === 'media') return <ProfileMedia account={account} />
  if (section === 'featured') return <ProfileFeatured account={account} />
  if (section === 'tagged' && tag) return <ProfileTagged account={account} tag={tag} />
  return <ProfilePosts account={account} />
}
