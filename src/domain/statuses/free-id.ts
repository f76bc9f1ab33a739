import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** Another attempt fails only when most ids of a millisecond are taken. */
const MAX_ATTEMPTS = 10

/**
 * Runs `insert` with another id until it succeeds; it returns null when the id is taken. Most servers date posts and boosts in
 * whole seconds, so that the ids of those of one second differ in 16 random bits alone.
 */
export async function withFreeId<T>(insert: () => Promise<T | null>): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const inserted = await insert()
    if (inserted !== null) return inserted
  }
  throw new Error(`${MAX_ATTEMPTS} ids were taken`)
}

export async function isIdTaken(tx: Context, id: string): Promise<boolean> {
  return (await tx.db.maybe(sql`select from statuses where id = ${id}`)) !== null
}
