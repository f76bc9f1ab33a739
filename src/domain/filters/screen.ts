import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { compile, isLeftOut, matchFilters } from './active.ts'
import { listFilters } from './filters.ts'
import { matchedText } from './text.ts'

/** Whether an account has filters that may keep posts out of its notifications: nobody else is asked about. */
export const mayScreen = (accountId: Sql): Sql =>
  sql`exists (select from filters sf where sf.account_id = ${accountId} and sf.irreversible and 'notifications' = any(sf.context))`

/** Which of these accounts are not to be told of a post, as an irreversible filter of theirs matches it. */
export async function whoScreensOut(
  tx: Context,
  statusId: string,
  accountIds: readonly string[],
): Promise<Set<string>> {
  if (accountIds.length === 0) return new Set()
  const post = await tx.db.maybe<{
    account_id: string
    content: string
    spoiler_text: string
    poll_options: string[] | null
    descriptions: (string | null)[]
  }>(sql`
    select s.account_id, s.content, s.spoiler_text, (select p.options from polls p where p.id = s.poll_id) as poll_options,
      array(select m.description from media_attachments m where m.id = any(s.media_ids)) as descriptions
    from statuses s where s.id = ${statusId}`)
  if (!post) return new Set()
  const text = matchedText(post)
  const filters = Map.groupBy(await listFilters(tx, accountIds), ({ account_id }) => account_id)
  const screening = [...filters].filter(
    ([accountId, rows]) =>
      accountId !== post.account_id && isLeftOut(matchFilters(compile(rows), [statusId], text), 'notifications'),
  )
  return new Set(screening.map(([accountId]) => accountId))
}
