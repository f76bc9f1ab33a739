import type { Tag } from '../api/entities.ts'
import { tagPath } from '../ui/tag-path.ts'
import { Sparkline } from './sparkline.tsx'
import { TagUsage } from './tag-usage.tsx'
import './explore.css'

/** Hashtags with how many people use them, and how that has changed. */
export function TagList({ tags }: { tags: readonly Tag[] }) {
  return (
    <ol class="trends">
      {tags.map((tag) => (
        <li key={tag.name}>
          <a href={tagPath(tag.name)}>
            <TagUsage tag={tag} />
          </a>
          <Sparkline history={tag.history} />
        </li>
      ))}
    </ol>
  )
}
