import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { compiledFilters, isLeftOut, matchFilters } from './active.ts'
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
  const versions = await tx.db.many<{ account_id: string; version: string }>(sql`
    select account_id, version from filter_versions where account_id = any(${accountIds}::bigint[])`)
  const filters = await compiledFilters(tx, new Map(versions.map((row) => [row.account_id, row.version])))
  const screening = [...filters].filter(
    ([accountId, own]) =>
      accountId !== post.account_id && isLeftOut(matchFilters(own, [statusId], text), 'notifications'),
  )
  return new Set(screening.map(([accountId]) => accountId))
}
