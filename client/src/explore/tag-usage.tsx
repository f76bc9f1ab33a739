import type { Tag } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { usage } from '../timelines/usage.ts'

/** A hashtag, and how many people use it. */
export const TagUsage = ({ tag }: { tag: Tag }) => (
  <>
    <strong>
      <bdi>#{tag.name}</bdi>
    </strong>
    <small>{texts.explore.people_days({ count: usage(tag.history).people })}</small>
  </>
)
