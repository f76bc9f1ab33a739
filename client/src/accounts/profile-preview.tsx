// How the profile will look. The server decides which links it makes; this shows what can be known before.
import type { Account } from '../api/entities.ts'
import { useMe } from '../state/me.ts'
import { texts } from '../texts.ts'
import { nameWithEmojis } from '../ui/emoji-text.tsx'
import { useDraftImage } from './edit-images.tsx'
import { ProfileBadges, ProfileDetails } from './profile-header.tsx'
import { ProfileImages } from './profile-images.tsx'
import { profileDraft, type ProfileDraft } from './profile-draft.ts'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const linked = (html: string): string =>
  html.replaceAll(/https?:\/\/[^\s<]+/g, (address) => `<a href="${address}">${address.replace(/^https?:\/\//, '')}</a>`)

function htmlOf(text: string): string {
  const paragraphs = escaped(text.trim()).split(/\n{2,}/)
  return paragraphs.map((paragraph) => `<p>${linked(paragraph).replaceAll('\n', '<br>')}</p>`).join('')
}

function previewOf(draft: ProfileDraft, me: Account): Account {
  return {
    ...me,
    display_name: draft.display_name,
    note: draft.note.trim() === '' ? '' : htmlOf(draft.note),
    locked: draft.locked,
    bot: draft.bot,
    fields: draft.fields
      .filter(({ name, value }) => name !== '' || value !== '')
      .map(({ name, value }) => {
        const before = me.fields.find((field) => field.name === name && field.value.includes(escaped(value)))
        return { name, value: linked(escaped(value)), verified_at: before?.verified_at ?? null }
      }),
  }
}

export function ProfilePreview() {
  const draft = profileDraft.value as ProfileDraft
  const me = useMe()
  const avatar = useDraftImage(draft, 'avatar') ?? me.avatar_static
  const header = useDraftImage(draft, 'header') ?? ''
  const account = {
    ...previewOf(draft, me),
    avatar,
    avatar_static: avatar,
    header,
    header_static: header,
  }
  return (
    <section aria-label={texts.profile_edit.preview}>
      <ProfileImages account={account} />
      <div class="profile-body">
        <h2 class="profile-name">
          <bdi>{nameWithEmojis(account)}</bdi>
        </h2>
        <bdi class="handle">@{account.acct}</bdi>
        <ProfileBadges account={account} />
        <ProfileDetails account={account} />
      </div>
    </section>
  )
}
