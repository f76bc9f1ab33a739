import { api, read } from '../api/client.ts'
import { useLoaded } from '../state/loaded.ts'
import { texts } from '../texts.ts'
import { usage } from '../timelines/usage.ts'
import { Empty, Failed, Loading } from '../ui/state-message.tsx'
import { Sparkline } from './sparkline.tsx'
import './explore.css'

export function TrendingTags() {
  const tags = useLoaded(() => read(api.GET('/api/v1/trends/tags', { params: { query: { limit: 20 } } })), [])
  if (tags.error) return <Failed error={tags.error} retry={tags.reload} />
  if (!tags.value) return <Loading />
  if (tags.value.length === 0) return <Empty>{texts.explore.empty}</Empty>
  return (
    <ol class="trends">
      {tags.value.map((tag) => (
        <li key={tag.name}>
          <a href={`/tags/${encodeURIComponent(tag.name)}`}>
            <strong>
              <bdi>#{tag.name}</bdi>
            </strong>
            <small>{texts.explore.people_days({ count: usage(tag.history).people })}</small>
          </a>
          <Sparkline values={tag.history.map(({ uses }) => Number(uses)).toReversed()} />
        </li>
      ))}
    </ol>
  )
}
