// The replies of a thread as rows of a list.
import { oldestFirst } from '../api/ids.ts'

export type Reply = { id: string; parent: string; accountId: string }

export type ThreadRow = {
  id: string
  /** Steps of indentation. A reply that is the only one to its parent stands below it, without one. */
  depth: number
  /** Whether it answers the row before. */
  followsParent: boolean
  /** Whether the row after answers it, at the same depth. */
  leadsOn: boolean
  /** Replies below it, all levels together; 0 where they cannot be folded. */
  foldable: number
  isFolded: boolean
  /** Replies that are nested too deep to show here: its own screen shows them. */
  further: number
}

/** Further levels are on screens of their own. */
const MAX_DEPTH = 4

/** `root`: the status whose thread it is. Replies to statuses that are not known are left out. */
export function threadRows(
  root: { id: string; accountId: string },
  replies: readonly Reply[],
  folded: ReadonlySet<string>,
): ThreadRow[] {
  const children = childrenOf(root, replies)
  const sizes = sizesOf(root.id, children)
  const rows: ThreadRow[] = []
  const open = (children.get(root.id) ?? []).map((reply) => ({ reply, depth: 0, isStart: true })).toReversed()
  while (open.length > 0) {
    const { reply, depth, isStart } = open.pop() as (typeof open)[number]
    const below = children.get(reply.id) ?? []
    const isBranching = below.length > 1
    const isTooDeep = isBranching && depth >= MAX_DEPTH
    const size = sizes.get(reply.id) ?? 0
    const isFolded = folded.has(reply.id) && !isTooDeep
    rows.push({
      id: reply.id,
      depth,
      followsParent: rows.at(-1)?.id === reply.parent && rows.at(-1)?.depth === depth,
      leadsOn: below.length === 1 && !isFolded,
      foldable: size > 0 && !isTooDeep && (isStart || isBranching) ? size : 0,
      isFolded,
      further: isTooDeep ? size : 0,
    })
    if (isFolded || isTooDeep) continue
    for (const each of below.toReversed())
      open.push({ reply: each, depth: isBranching ? depth + 1 : depth, isStart: isBranching })
  }
  return rows
}

/** Replies in which an author goes on come first, then the oldest. */
function childrenOf(root: { id: string; accountId: string }, replies: readonly Reply[]): Map<string, Reply[]> {
  const authors = new Map([[root.id, root.accountId], ...replies.map((reply) => [reply.id, reply.accountId] as const)])
  const children = new Map<string, Reply[]>()
  for (const reply of replies) {
    const siblings = children.get(reply.parent)
    if (siblings) siblings.push(reply)
    else children.set(reply.parent, [reply])
  }
  for (const [parent, siblings] of children) {
    const rank = ({ accountId }: Reply) => (accountId === authors.get(parent) ? 0 : 1)
    siblings.sort((a, b) => rank(a) - rank(b) || oldestFirst(a, b))
  }
  return children
}

/** How many replies each has below it. Without recursion: threads may be thousands deep. */
function sizesOf(rootId: string, children: ReadonlyMap<string, Reply[]>): Map<string, number> {
  const order = [rootId]
  for (let at = 0; at < order.length; at += 1) for (const { id } of children.get(order[at] ?? '') ?? []) order.push(id)
  const sizes = new Map<string, number>()
  for (const id of order.toReversed())
    sizes.set(
      id,
      (children.get(id) ?? []).reduce((sum, child) => sum + 1 + (sizes.get(child.id) ?? 0), 0),
    )
  return sizes
}
