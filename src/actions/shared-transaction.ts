import { perServer, type Context } from '../context.ts'
import { batched } from '../lib/batch.ts'
import { causedBy, currentCause } from '../lib/cause.ts'
import { compareIds } from '../lib/ids.ts'

type Run = (tx: Context) => Promise<unknown>
type Task = { run: Run; lockedId: string }

/** Tasks of one transaction: the rows that they change stay locked until all of them are done. */
const MAX_TASKS = 25

const batches = perServer((ctx) => ({
  /** Tasks that process received activities. */
  received: batched((tasks: Run[]) => together(ctx, tasks), MAX_TASKS),
  /** Tasks on whose results clients wait. */
  acknowledged: batched((tasks: Task[]) => inOrderOfLocks(ctx, tasks), MAX_TASKS, { gather: true }),
}))

const together = (ctx: Context, tasks: readonly Run[]): Promise<unknown[]> =>
  ctx.transaction((tx) => Promise.all(tasks.map((run) => run(tx))))

/** In the order of the rows that they lock, so that batches of two processes do not wait for each other. */
async function inOrderOfLocks(ctx: Context, tasks: readonly Task[]): Promise<unknown[]> {
  const ordered = tasks.toSorted((a, b) => compareIds(a.lockedId, b.lockedId))
  const results = await together(
    ctx,
    ordered.map(({ run }) => run),
  )
  return tasks.map((task) => results[ordered.indexOf(task)])
}

/**
 * Runs `work` as a task of a transaction that other activities share: the tasks have one commit, and their statements are sent
 * together. Locks do not separate them, so a task that removes rows which another one may add needs a transaction of its own.
 * When one fails, each runs again alone. Never call it in a transaction.
 */
export async function shareTransaction<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  const cause = currentCause()
  return batches(ctx).received((tx) => causedBy(cause, () => work(tx))) as Promise<T>
}

/**
 * As shareTransaction, for a task on whose result a client waits. In a transaction, `work` joins that one.
 * `lockedId`: the id of the row for which such tasks would wait most often.
 */
export async function shareCommit<T>(ctx: Context, lockedId: string, work: (tx: Context) => Promise<T>): Promise<T> {
  if (ctx.isTransaction) return work(ctx)
  const cause = currentCause()
  return batches(ctx).acknowledged({ lockedId, run: (tx) => causedBy(cause, () => work(tx)) }) as Promise<T>
}
