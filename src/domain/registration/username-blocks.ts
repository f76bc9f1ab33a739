import type { Context } from '../../context.ts'
import { refuseDuplicate } from '../../db/database.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { UsernameBlocks } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { invalidFieldWithDetails, NotFound } from '../../lib/errors.ts'

/** `exact`: only this name; otherwise every name that contains it. Look-alike characters count as equal. */
export type UsernameBlock = Pick<UsernameBlocks, 'id' | 'username' | 'exact' | 'allow_with_approval' | 'created_at'>

export type UsernameBlockValues = Pick<UsernameBlock, 'username' | 'exact' | 'allow_with_approval'>

const columns = sql`id, username, exact, allow_with_approval, created_at`
export const MAX_BLOCKED_USERNAME = 30

/** Usernames have Latin letters, digits and underscores only: these digits and letters pass for others. */
const LOOK_ALIKES: Record<string, string> = {
  0: 'o',
  1: 'i',
  2: 'z',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
  l: 'i',
  _: '',
}

/** One spelling for names that look alike: `Adm1n_` becomes `admin`. */
const normaliseUsername = (username: string): string =>
  username.toLowerCase().replace(/[0-9l_]/g, (character) => LOOK_ALIKES[character] ?? character)

export async function listUsernameBlocks(ctx: Context, page: Pagination): Promise<UsernameBlock[]> {
  const rows = await ctx.db.many<UsernameBlock>(
    sql`select ${columns} from username_blocks where ${onPage(sql`id`, page)}`,
  )
  return newestFirst(rows, page)
}

/** Throws NotFound. */
export async function getUsernameBlock(ctx: Context, id: string): Promise<UsernameBlock> {
  const row = await ctx.db.maybe<UsernameBlock>(sql`select ${columns} from username_blocks where id = ${id}`)
  if (!row) throw new NotFound()
  return row
}

/** Throws Invalid, also for a name that looks like a blocked one. */
export async function insertUsernameBlock(tx: Context, values: UsernameBlockValues): Promise<UsernameBlock> {
  const { username, normalized } = checkName(values.username)
  return refuseDuplicate('username', () =>
    tx.db.one<UsernameBlock>(sql`
      insert into username_blocks (username, normalized_username, exact, allow_with_approval)
      values (${username}, ${normalized}, ${values.exact}, ${values.allow_with_approval}) returning ${columns}`),
  )
}

/** Throws NotFound and Invalid. */
export async function updateUsernameBlock(
  tx: Context,
  id: string,
  values: UsernameBlockValues,
): Promise<UsernameBlock> {
  const { username, normalized } = checkName(values.username)
  const row = await refuseDuplicate('username', () =>
    tx.db.maybe<UsernameBlock>(sql`
      update username_blocks set username = ${username}, normalized_username = ${normalized}, exact = ${values.exact},
        allow_with_approval = ${values.allow_with_approval}, updated_at = now()
      where id = ${id} returning ${columns}`),
  )
  if (!row) throw new NotFound()
  return row
}

/** Returns those that existed. */
export const deleteUsernameBlocks = (tx: Context, ids: readonly string[]): Promise<UsernameBlock[]> =>
  tx.db.many<UsernameBlock>(sql`delete from username_blocks where id = any(${ids}::bigint[]) returning ${columns}`)

function checkName(typed: string): { username: string; normalized: string } {
  const username = typed.trim().replace(/^@/, '')
  if (username === '') throw invalidFieldWithDetails('username', 'blank')
  if (!/^[a-z0-9_]+$/i.test(username)) throw invalidFieldWithDetails('username', 'username_characters')
  if (username.length > MAX_BLOCKED_USERNAME)
    throw invalidFieldWithDetails('username', 'too_long', { count: MAX_BLOCKED_USERNAME })
  const normalized = normaliseUsername(username)
  // Nothing but underscores: every name would contain it.
  if (normalized === '') throw invalidFieldWithDetails('username', 'invalid')
  return { username, normalized }
}

/** What the blocks say about a new username. */
export async function checkUsernameBlocks(ctx: Context, username: string): Promise<'blocked' | 'approval' | null> {
  const name = normaliseUsername(username)
  const row = await ctx.db.one<{ approval: boolean | null }>(sql`
    select bool_and(allow_with_approval) as approval from username_blocks
    where normalized_username = ${name} or (not exact and position(normalized_username in ${name}) > 0)`)
  if (row.approval === null) return null
  return row.approval ? 'approval' : 'blocked'
}
