import type { HomeFeed } from '../../db/schema.ts'
import { allOf, count, sql, type Sql } from '../../db/sql.ts'
import { accountsHidingParticipant, hidesNoParticipant } from '../relationships/hidden.ts'

/**
 * A status that may enter a home feed, as SQL expressions: columns when a build checks many statuses for one feed, parameters
 * when the fan-out checks one status for many feeds. `f.account_id` owns the feed; `f` also has the options of the follow
 * (`show_reblogs`, `languages`).
 */
export type Candidate = {
  author: Sql
  /** bigint[]: the author, and the author of the boosted status. */
  authors: Sql
  /** text[]; null for local accounts. */
  domains: Sql
  /** bigint[] */
  mentioned: Sql
  /** bigint[] */
  mentionedInOriginal: Sql
  /** The author of the boosted status, if limited; otherwise null. */
  limited: Sql
  /** The language of the boosted status, or of the status itself. */
  language: Sql
  isReblog: Sql
  isDirect: Sql
  isReply: Sql
  /** Null when unknown. */
  replyTo: Sql
}

/** An account's own statuses are exempt. */
export function belongsInHome(post: Candidate): Sql {
  return allOf([belongsInFeed(post), isInNoExclusiveList(post.author)])
}

/** The rules for lists, and for home before exclusive lists. */
export const belongsInFeed = (post: Candidate): Sql => allOf([suitsFollow(post), hidesNoneOf(post)])

/** Everything but blocks, mutes, domain blocks and exclusive lists. */
export function suitsFollow(post: Candidate): Sql {
  return allOf([
    sql`(f.show_reblogs or not ${post.isReblog})`,
    sql`(f.languages is null or ${post.language} is null or ${post.language} = any(f.languages))`,
    sql`(not ${post.isDirect} or f.account_id = any(${post.mentioned}))`,
    reachesDespiteLimit(post.limited, sql`f.account_id`),
    // Replies to accounts that are not followed are left out, apart from replies to the reader and threads by one author.
    sql`(not ${post.isReply} or ${post.replyTo} = ${post.author} or ${post.replyTo} = f.account_id
      or exists (select from follows rf where rf.account_id = f.account_id and rf.target_account_id = ${post.replyTo}))`,
  ])
}

/** Statuses of limited accounts reach only their followers, boosted ones included. */
const reachesDespiteLimit = (limited: Sql, me: Sql): Sql => sql`(${limited} is null or ${limited} = ${me}
  or exists (select from follows lf where lf.account_id = ${me} and lf.target_account_id = ${limited}))`

type Participants = Pick<Candidate, 'authors' | 'domains' | 'mentioned' | 'mentionedInOriginal'>

const participantsOf = ({ authors, mentioned, mentionedInOriginal, domains }: Participants) => ({
  authors,
  mentioned: sql`${mentioned} || ${mentionedInOriginal}`,
  domains,
})

export const hidesNoneOf = (post: Participants): Sql => hidesNoParticipant(sql`f.account_id`, participantsOf(post))

/**
 * Statement: `account_id` of accounts whose home feeds leave out a post for a block, a mute, a domain block or an exclusive list.
 */
export const accountsExcluding = (post: Pick<Candidate, 'author'> & Participants): Sql => sql`
  ${accountsHidingParticipant(participantsOf(post))}
  union all select xl.owner_id from list_accounts xl where xl.account_id = ${post.author} and xl.exclusive`

export const isInNoExclusiveList = (author: Sql): Sql => sql`not exists (
  select from list_accounts xl where xl.owner_id = f.account_id and xl.account_id = ${author} and xl.exclusive)`

/** For a status `s` of `a`, which may boost `o` of `oa` (left joined). */
export const candidateColumns: Candidate = {
  author: sql`s.account_id`,
  authors: sql`array[s.account_id, o.account_id]`,
  domains: sql`array[a.domain, oa.domain]`,
  mentioned: sql`array(select mn.account_id from mentions mn where mn.status_id = s.id)`,
  mentionedInOriginal: sql`array(select mn.account_id from mentions mn where mn.status_id = s.reblog_of_id)`,
  limited: sql`case when oa.silenced_at is not null then oa.id end`,
  language: sql`coalesce(o.language, s.language)`,
  isReblog: sql`(s.reblog_of_id is not null)`,
  isDirect: sql`(s.visibility = 'direct')`,
  isReply: sql`s.reply`,
  replyTo: sql`s.in_reply_to_account_id`,
}

/** The rest of a `select`: of the follows `f` by `account` that bring statuses `s` to home feeds. Conditions may follow. */
export const broughtByFollows = (account: Sql): Sql => sql`
  from statuses s join accounts a on a.id = s.account_id
  join follows f on f.target_account_id = s.account_id and f.account_id = ${account}
  left join statuses o on o.id = s.reblog_of_id left join accounts oa on oa.id = o.account_id
  where a.suspended_at is null and oa.suspended_at is null and ${belongsInHome(candidateColumns)}`

export const REPEAT_WINDOW = 40

/**
 * Whether the newest entries of the feed of `account` have the original or an earlier boost of it, or a running fan-out brings
 * one. The expressions name neither `s` nor `f`.
 */
export function repeats({ original, reblog, account }: { original: Sql; reblog: Sql; account: Sql }): Sql {
  const isRecent = sql`(select count(*) from (
    select from home_feed y where y.account_id = x.account_id and y.status_id > x.status_id limit ${count(REPEAT_WINDOW)}) newer) < ${REPEAT_WINDOW}`
  return sql`(exists (select from home_feed x where x.account_id = ${account} and x.status_id = ${original} and ${isRecent})
    or exists (
      select from home_feed x where x.account_id = ${account} and x.original_id = ${original} and x.original_id <> x.status_id
        and x.status_id <> ${reblog} and ${isRecent})
    or exists (
      select ${broughtByFollows(account)} and s.id in (select status_id from running_fan_outs)
        and (s.id = ${original} or (s.reblog_of_id = ${original} and s.id < ${reblog}))))`
}

type Entry = Pick<HomeFeed, 'status_id' | 'original_id'>

/**
 * Leaves out boosts of statuses that are among the REPEAT_WINDOW entries before them. `entries` go from oldest to newest;
 * existing ones always stay.
 */
export function withoutRepeats<E extends Entry & { existing?: boolean }>(entries: readonly E[]): E[] {
  const last = new Map<string, number>()
  const shown: E[] = []
  for (const entry of entries) {
    const before = last.get(entry.original_id)
    const repeats =
      entry.original_id !== entry.status_id && before !== undefined && shown.length - before <= REPEAT_WINDOW
    if (repeats && !entry.existing) continue
    last.set(entry.original_id, shown.length)
    shown.push(entry)
  }
  return shown
}
