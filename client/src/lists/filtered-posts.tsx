// The posts that were added to a filter one by one.
import { X } from 'lucide'
import { api, read } from '../api/client.ts'
import type { Filter, Status } from '../api/entities.ts'
import { useLoaded } from '../state/loaded.ts'
import { storeStatus } from '../state/statuses.ts'
import { statusPath } from '../statuses/links.ts'
import { texts } from '../texts.ts'
import { DisplayName } from '../ui/account-line.tsx'
import { IconButton } from '../ui/button.tsx'
import { htmlToPlainText } from '../ui/plain-text.ts'
import { Failed, Loading } from '../ui/state-message.tsx'
import { showError } from '../ui/toasts.tsx'

/** `status`: none when it was deleted or may not be seen. */
type FilteredPost = { id: string; status: Status | undefined }

async function loadPosts(filters: Filter['statuses'] = []): Promise<FilteredPost[]> {
  if (filters.length === 0) return []
  const ids = filters.map(({ status_id: id }) => id)
  const found = await read(api.GET('/api/v1/statuses', { params: { query: { 'id[]': ids } } }))
  for (const each of found) storeStatus(each)
  return filters.map(({ id, status_id }) => ({ id, status: found.find((each) => each.id === status_id) }))
}

export function FilteredPosts({ filter }: { filter: Filter }) {
  const posts = useLoaded(() => loadPosts(filter.statuses), [filter.id])
  const t = texts.lists
  const remove = async (id: string) => {
    const before = posts.value ?? []
    posts.set(before.filter((each) => each.id !== id))
    try {
      await read(api.DELETE('/api/v2/filters/statuses/{id}', { params: { path: { id } } }))
    } catch (error) {
      posts.set(before)
      showError(error)
    }
  }
  if (posts.error) return <Failed error={posts.error} retry={posts.reload} />
  if (!posts.value) return <Loading />
  if (posts.value.length === 0) return null
  return (
    <section aria-label={t.filtered_posts}>
      <h2 class="section-title">{t.filtered_posts}</h2>
      <p class="section-hint">
        <small>{t.filtered_posts_hint}</small>
      </p>
      <ul class="rows">
        {posts.value.map(({ id, status }) => (
          <li class="filtered-post" key={id}>
            {status ? (
              <a href={statusPath(status)}>
                <DisplayName account={status.account} />
                <p dir="auto">{status.spoiler_text || htmlToPlainText(status.content)}</p>
              </a>
            ) : (
              <span>{t.post_unavailable}</span>
            )}
            <IconButton icon={X} label={t.remove_post} onClick={() => void remove(id)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
