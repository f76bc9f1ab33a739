// Which statuses a search may find. Documents of the index say so, too, but may be out of date.
import type { Context } from '../../context.ts'
import { type Sql, allOf, sql } from '../../db/sql.ts'
import { notHiddenFrom } from '../relationships/hidden.ts'
import { loadMarks } from '../statuses/marks.ts'
import { StatusReader } from '../statuses/reader.ts'
import { visibleTo } from '../statuses/visibility.ts'

/** Ids from `from`, included, to `to`, excluded. */
export type Range = { from: string; to: string }

export type FindableRules = {
  viewer: { accountId: string }
  /** Ids that are left out. */
  gaps: readonly Range[]
  /** For `-in:public` and `-in:library`. */
  notOpen: boolean
  notInLibrary: boolean
}

export const hasExceptions = ({ gaps, notOpen, notInLibrary }: FindableRules): boolean =>
  gaps.length > 0 || notOpen || notInLibrary

const isOpen: Sql = sql`(s.visibility = 'public' and a.indexable)`

const isInLibraryOf = (me: string): Sql => sql`(s.account_id = ${me}
  or exists (select from mentions x where x.status_id = s.id and x.account_id = ${me})
  or exists (select from favourites x where x.status_id = s.id and x.account_id = ${me})
  or exists (select from bookmarks x where x.status_id = s.id and x.account_id = ${me}))`

/** Applies the current rules to a status `s` by `a`: the index may be out of date. */
export function isFindable(rules: FindableRules): Sql {
  const { viewer } = rules
  return allOf([
    visibleTo(viewer),
    notHiddenFrom(viewer),
    sql`(${isOpen} or ${isInLibraryOf(viewer.accountId)})`,
    hasExceptions(rules) && isNoException(rules),
  ])
}

function isNoException({ viewer, gaps, notOpen, notInLibrary }: FindableRules): Sql {
  const me = viewer.accountId
  const [from, to] = [gaps.map((gap) => gap.from), gaps.map((gap) => gap.to)]
  return allOf([
    sql`not (${notOpen}::boolean and ${isOpen})`,
    sql`not (${notInLibrary}::boolean and ${isInLibraryOf(me)})`,
    sql`not exists (
      select from unnest(${from}::bigint[], ${to}::bigint[]) gap (low, high) where s.id >= gap.low and s.id < gap.high)`,
  ])
}

/** As isFindable without exceptions, in memory. `mentioning`: those that mention the viewer. */
export async function filterFindable(
  ctx: Context,
  viewer: { accountId: string },
  ids: readonly string[],
  mentioning: ReadonlySet<string>,
): Promise<string[]> {
  const me = viewer.accountId
  const [reader, marks] = await Promise.all([StatusReader.load(ctx, viewer, ids), loadMarks(ctx, [me], ids)])
  return ids.filter((id) => {
    const status = reader.status(id)
    if (!status || !reader.sees(status) || reader.hides(status.account_id)) return false
    if (status.visibility === 'public' && reader.account(status.account_id)?.indexable) return true
    const { favourited, bookmarked } = marks.of(me, id)
    return status.account_id === me || favourited || bookmarked || mentioning.has(id)
  })
}
