// The posts that were added to a filter one by one.
import { X } from 'lucide'
import { api, read } from '../api/client.ts'
import type { Filter, Status } from '../api/entities.ts'
import { useLoaded } from '../state/loaded.ts'
import { storeStatus } from '../state/statuses.ts'
import { statusPath } from '../statuses/links.ts'
import { loadStatuses } from '../statuses/load-statuses.ts'
import { texts } from '../texts.ts'
import { DisplayName } from '../ui/account-line.tsx'
import { IconButton } from '../ui/button.tsx'
import { htmlToPlainText } from '../ui/plain-text.ts'
import { LoadingOrFailed } from '../ui/state-message.tsx'
import { optimistic } from '../ui/optimistic.ts'

/** `status`: none when it was deleted or may not be seen. */
type FilteredPost = { id: string; status: Status | undefined }

async function loadPosts({ statuses: filters = [] }: Filter): Promise<FilteredPost[]> {
  const found = await loadStatuses(filters.map(({ status_id: id }) => id))
  for (const each of found) storeStatus(each)
  return filters.map(({ id, status_id }) => ({ id, status: found.find((each) => each.id === status_id) }))
}

export function FilteredPosts({ filter }: { filter: Filter }) {
  const posts = useLoaded(() => loadPosts(filter), [filter.id])
  const t = texts.lists
  const remove = (post: FilteredPost) => {
    const { id } = post
    posts.change((now) => now.filter((each) => each.id !== id))
    const request = () => read(api.DELETE('/api/v2/filters/statuses/{id}', { params: { path: { id } } }))
    return optimistic({ on: `filtered post ${id}`, undo: () => posts.change((now) => [...now, post]), request })
  }
  if (!posts.value) return <LoadingOrFailed loaded={posts} />
  if (posts.value.length === 0) return null
  return (
    <section aria-label={t.filtered_posts}>
      <h2 class="section-title">{t.filtered_posts}</h2>
      <p class="section-hint">
        <small>{t.filtered_posts_hint}</small>
      </p>
      <ul class="rows">
        {posts.value.map((post) => (
          <li class="filtered-post" key={post.id}>
            {post.status ? (
              <a href={statusPath(post.status)}>
                <DisplayName account={post.status.account} />
                <p dir="auto">{post.status.spoiler_text || htmlToPlainText(post.status.content)}</p>
              </a>
            ) : (
              <span>{t.post_unavailable}</span>
            )}
            <IconButton icon={X} label={t.remove_post} onClick={() => void remove(post)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
