// What an account posted: posts, replies, media, posts with a tag.
import { Pin } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { api, read, readPage } from '../api/client.ts'
import type { Account, FeaturedTag, Status } from '../api/entities.ts'
import { openFromLink } from '../compose/open.ts'
import { isMe } from '../state/me.ts'
import { storeStatus } from '../state/statuses.ts'
import { pinChanges } from '../statuses/acts.ts'
import { StatusItem } from '../statuses/status-item.tsx'
import { texts } from '../texts.ts'
import type { TimelineSource } from '../timelines/timeline-source.ts'
import { TimelineView } from '../timelines/timeline-view.tsx'
import { accountPath } from '../ui/account-line.tsx'
import { Icon } from '../ui/icon.tsx'
import { useCached } from '../state/cached.ts'
import { MediaWall } from './media-wall.tsx'

type Filter = { exclude_replies?: boolean; exclude_reblogs?: boolean; only_media?: boolean; tagged?: string }

function sourceOf(account: Account, section: string, filter: Filter): TimelineSource {
  const path = { id: account.id }
  return {
    path: `${accountPath(account)}/${section}`,
    context: 'account',
    takesOwn: (sent) => isMe(account.id) && matches(sent, filter),
    load: (query) =>
      readPage(api.GET('/api/v1/accounts/{id}/statuses', { params: { path, query: { ...query, ...filter } } })),
  }
}

/** Whether the server counts a post of the account among those of the filter. A thread of one author is no reply. */
const matches = (status: Status, { exclude_replies, only_media, tagged }: Filter): boolean =>
  !(exclude_replies && status.in_reply_to_id && status.in_reply_to_account_id !== status.account.id) &&
  !(only_media && status.media_attachments.length === 0) &&
  (tagged === undefined || status.tags.some(({ name }) => name.toLowerCase() === tagged.toLowerCase()))

export function ProfilePosts({ account }: { account: Account }) {
  return (
    <>
      <TagLinks account={account} />
      <PinnedStatuses account={account} />
      <TimelineView
        source={sourceOf(account, '', { exclude_replies: true })}
        label={texts.accounts.posts}
        empty={isMe(account.id) ? <FirstPost /> : texts.accounts.no_posts}
      />
    </>
  )
}

const FirstPost = () => (
  <>
    {texts.accounts.no_posts}{' '}
    <a href="/publish" onClick={openFromLink}>
      {texts.timelines.step_post}
    </a>
  </>
)

export function ProfileReplies({ account }: { account: Account }) {
  const source = sourceOf(account, 'with_replies', { exclude_reblogs: true })
  return <TimelineView source={source} label={texts.accounts.with_replies} empty={texts.accounts.no_posts} />
}

export function ProfileMedia({ account }: { account: Account }) {
  return <MediaWall source={sourceOf(account, 'media', { only_media: true })} />
}

export function ProfileTagged({ account, tag }: { account: Account; tag: string }) {
  const source = sourceOf(account, `tagged/${encodeURIComponent(tag)}`, { tagged: tag })
  return (
    <>
      <TagLinks account={account} current={tag} />
      <TimelineView source={source} label={texts.accounts.tagged({ tag })} empty={texts.accounts.no_posts} />
    </>
  )
}

function PinnedStatuses({ account: { id } }: { account: Account }) {
  const { value: data, reload } = useCached(`pinned ${id}`, () => loadPinned(id))
  const changes = pinChanges.value
  const [loaded] = useState(changes)
  useEffect(() => {
    if (changes > loaded) reload()
  }, [changes])
  return (
    <>
      {data?.map((statusId) => (
        <div key={statusId} class="pinned-status">
          <p class="status-reason">
            <Icon icon={Pin} size={16} />
            {texts.accounts.pinned}
          </p>
          <StatusItem id={statusId} />
        </div>
      ))}
    </>
  )
}

async function loadPinned(id: string): Promise<string[]> {
  const params = { path: { id }, query: { pinned: true } }
  const statuses: Status[] = await read(api.GET('/api/v1/accounts/{id}/statuses', { params }))
  for (const each of statuses) storeStatus(each)
  return statuses.map((each) => each.id)
}

export function useFeaturedTags({ id }: Account): FeaturedTag[] {
  const load = () => read(api.GET('/api/v1/accounts/{id}/featured_tags', { params: { path: { id } } }))
  return useCached(`featured tags ${id}`, load).value ?? []
}

/** The featured tags, each with the account's posts that have it. */
export function TagLinks({ account, current }: { account: Account; current?: string }) {
  const featured = useFeaturedTags(account)
  const isFeatured = featured.some(({ name }) => name.toLowerCase() === current?.toLowerCase())
  const names = featured.map(({ name, statuses_count: count }) => ({ name, count }))
  const tags = current && !isFeatured ? [{ name: current, count: '' }, ...names] : names
  if (tags.length === 0) return null
  return (
    <ul class="tag-links" aria-label={texts.accounts.featured_tags}>
      {tags.map(({ name, count }) => {
        const isCurrent = name.toLowerCase() === current?.toLowerCase()
        const path = accountPath(account)
        return (
          <li key={name}>
            <a
              href={isCurrent ? path : `${path}/tagged/${encodeURIComponent(name)}`}
              aria-current={isCurrent ? 'page' : undefined}
            >
              <bdi>#{name}</bdi>
              {count && <small>{count}</small>}
            </a>
          </li>
        )
      })}
    </ul>
  )
}
