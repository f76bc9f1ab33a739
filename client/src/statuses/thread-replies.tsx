// The replies of a thread: indented where they branch, with lines that lead from one to the next.
import { ChevronDown, ChevronRight } from 'lucide'
import { findStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Loading } from '../ui/state-message.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { statusPath } from './links.ts'
import { StatusItem } from './status-item.tsx'
import type { Thread } from './thread.ts'
import type { ThreadRow } from './thread-rows.ts'

export function ThreadReplies({ thread }: { thread: Thread }) {
  const rows = thread.rows.value
  return (
    <>
      {rows.length > 0 && (
        <VirtualList
          label={texts.statuses.replies}
          items={rows}
          keyOf={({ id }) => id}
          render={(row) => <Row row={row} thread={thread} />}
          position={thread.position}
          onPosition={(position) => (thread.position = position)}
        />
      )}
      <div role="status">
        {thread.isFetching.value && <p class="thread-note">{texts.statuses.fetching_replies}</p>}
        {thread.state.value === 'loading' && rows.length === 0 && <Loading />}
      </div>
    </>
  )
}

function Row({ row, thread }: { row: ThreadRow; thread: Thread }) {
  const status = findStatus(row.id)?.value
  if (!status) return null
  const looks = ['thread-row', row.leadsOn && 'leads-on', row.followsParent && 'follows'].filter(Boolean).join(' ')
  return (
    <div class={looks} style={{ '--depth': row.depth }}>
      {Array.from({ length: row.depth }, (_, index) => (
        <span key={index} class="thread-guide" style={{ '--at': index }} aria-hidden="true" />
      ))}
      <StatusItem id={row.id} hidesReplyLine />
      {row.foldable > 0 && (
        <button
          type="button"
          class="link-button thread-fold"
          aria-expanded={!row.isFolded}
          onClick={() => thread.toggleFold(row.id)}
        >
          <Icon icon={row.isFolded ? ChevronRight : ChevronDown} size={18} />
          {row.isFolded
            ? texts.statuses.show_replies({ count: row.foldable })
            : texts.statuses.hide_replies({ count: row.foldable })}
        </button>
      )}
      {row.further > 0 && (
        <a class="thread-fold" href={statusPath(status)}>
          <Icon icon={ChevronRight} size={18} />
          {texts.statuses.continue_thread({ count: row.further })}
        </a>
      )}
    </div>
  )
}
