import { api, read } from '../api/client.ts'
import { useCached } from '../state/cached.ts'
import { texts } from '../texts.ts'
import { Empty, LoadingOrFailed } from '../ui/state-message.tsx'
import { TagList } from './tag-list.tsx'

export function TrendingTags() {
  const tags = useCached('trending tags', () =>
    read(api.GET('/api/v1/trends/tags', { params: { query: { limit: 20 } } })),
  )
  if (!tags.value) return <LoadingOrFailed loaded={tags} />
  if (tags.value.length === 0) return <Empty>{texts.explore.empty}</Empty>
  return <TagList tags={tags.value} />
}
