import type { Tag } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { usage } from '../timelines/usage.ts'
import { tagPath } from '../ui/tag-path.ts'
import { Sparkline } from './sparkline.tsx'
import './explore.css'

/** Hashtags with how many people use them, and how that has changed. */
export function TagList({ tags }: { tags: readonly Tag[] }) {
  return (
    <ol class="trends">
      {tags.map((tag) => (
        <li key={tag.name}>
          <a href={tagPath(tag.name)}>
            <strong>
              <bdi>#{tag.name}</bdi>
            </strong>
            <small>{texts.explore.people_days({ count: usage(tag.history).people })}</small>
          </a>
          <Sparkline history={tag.history} />
        </li>
      ))}
    </ol>
  )
}
