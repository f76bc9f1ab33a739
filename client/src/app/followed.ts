// The viewer's lists and followed hashtags, as places to go to.
import { api, read } from '../api/client.ts'
import { useLoaded } from '../state/loaded.ts'
import { tagPath } from '../ui/tag-path.ts'

type Followed = { path: string; label: string }

/** Both are empty until they are loaded, and where they cannot be. */
export function useFollowed(): { lists: Followed[]; tags: Followed[] } {
  const lists = useLoaded(() => read(api.GET('/api/v1/lists')), [])
  const tags = useLoaded(() => read(api.GET('/api/v1/followed_tags')), [])
  return {
    lists: (lists.value ?? []).map(({ id, title }) => ({ path: `/lists/${id}`, label: title })),
    tags: (tags.value ?? []).map(({ name }) => ({ path: tagPath(name), label: `#${name}` })),
  }
}
