// The status of this server that a status links to, below it.
import { signal, type Signal } from '@preact/signals'
import type { Status } from '../api/entities.ts'
import { relationshipOf } from '../state/accounts.ts'
import { isMe } from '../state/me.ts'
import { RecentMap } from '../state/recent-map.ts'
import { findStatus, storeStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { filteringOf, useFilterContext } from './filters.ts'
import { loadStatuses } from './load-statuses.ts'
import { QuotedStatus } from './quote-block.tsx'

/** Milliseconds: a list shows its items one after the other. */
const DELAY = 50

/** Whether the server has answered, by id: it leaves out what is gone or hidden from the viewer. */
const answers = new RecentMap<Signal<boolean>>(1000)

let wanted = new Set<string>()

/** Undefined until loaded. Requests of the same moment share one request to the server. */
function linkedStatus(id: string): Status | null | undefined {
  const known = findStatus(id)
  if (known) return known.value
  const answer = answers.getOr(id, () => {
    if (wanted.size === 0) setTimeout(() => void loadWanted(), DELAY)
    wanted.add(id)
    return signal(false)
  })
  return answer.value ? findStatus(id)?.value : undefined
}

async function loadWanted(): Promise<void> {
  const ids = [...wanted]
  wanted = new Set()
  try {
    for (const status of await loadStatuses(ids)) storeStatus(status)
    for (const id of ids) {
      const answer = answers.get(id)
      if (answer) answer.value = true
    }
  } catch {
    // The next component that asks tries again.
    for (const id of ids) answers.delete(id)
  }
}

/** Nothing where the viewer would not want to see it: the link is still in the text. */
export function LinkedStatus({ id }: { id: string }) {
  const status = linkedStatus(id)
  return status ? <Shown status={status} /> : null
}

function Shown({ status }: { status: Status }) {
  const filtering = filteringOf(status, useFilterContext())
  if (isUnwanted(status.account.id) || (filtering && filtering.action !== 'blur')) return null
  return <QuotedStatus status={status} filtering={filtering} label={texts.linked.post} />
}

/** Until it is known, too. */
function isUnwanted(accountId: string): boolean {
  if (isMe(accountId)) return false
  const relationship = relationshipOf(accountId).value
  return !relationship || relationship.muting || relationship.blocking || relationship.domain_blocking
}
