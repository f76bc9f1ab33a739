import { allOf, sql, type Sql } from '../../db/sql.ts'
import { hidesNoParticipant } from '../relationships/hidden.ts'

/**
 * A post on its way into somebody's home feed, as SQL expressions: columns where many posts are looked at for one person,
 * parameters where one post is looked at for many. The person is `f.account_id`; `f` has the options of the follow
 * (`show_reblogs`, `languages`) that brings the post.
 */
export type Candidate = {
  /** The author; of a boost, who boosts. */
  author: Sql
  /** bigint[]: the author, and of a boost the author of what is boosted. */
  authors: Sql
  /** text[]: their domains; nulls for this server. */
  domains: Sql
  /** bigint[]: whom the post mentions. */
  mentioned: Sql
  /** bigint[]: whom the boosted post mentions. */
  mentionedInOriginal: Sql
  /** Who wrote what is boosted, where they are limited; otherwise null. */
  limited: Sql
  /** Of what is boosted, where there is something. */
  language: Sql
  isBoost: Sql
  isDirect: Sql
  isReply: Sql
  /** To whom it replies; null when that is not known. */
  replyTo: Sql
}

/** The rules of home feeds, which are the same wherever a feed is written. One's own posts are not held to them. */
export function belongsInHome(post: Candidate): Sql {
  return allOf([belongsInFeed(post), isInNoExclusiveList(post.author)])
}

/** As belongsInHome, without regard to exclusive lists: for those lists themselves, and where nobody has the author in one. */
export function belongsInFeed(post: Candidate): Sql {
  return allOf([
    sql`(f.show_reblogs or not ${post.isBoost})`,
    sql`(f.languages is null or ${post.language} is null or ${post.language} = any(f.languages))`,
    sql`(not ${post.isDirect} or f.account_id = any(${post.mentioned}))`,
    reachesDespiteLimit(post.limited, sql`f.account_id`),
    // Replies to strangers stay away; threads that somebody writes alone and replies to oneself do not.
    sql`(not ${post.isReply} or ${post.replyTo} = ${post.author} or ${post.replyTo} = f.account_id
      or exists (select from follows rf where rf.account_id = f.account_id and rf.target_account_id = ${post.replyTo}))`,
    hidesNoneOf(post),
  ])
}

/** What limited people post reaches only those who follow them, also where others boost it. */
export const reachesDespiteLimit = (limited: Sql, me: Sql): Sql => sql`(${limited} is null or ${limited} = ${me}
  or exists (select from follows lf where lf.account_id = ${me} and lf.target_account_id = ${limited}))`

/** Whether the owner of the feed hides none of the accounts that take part in a post. */
export const hidesNoneOf = (post: Pick<Candidate, 'authors' | 'domains' | 'mentioned' | 'mentionedInOriginal'>): Sql =>
  hidesNoParticipant(sql`f.account_id`, {
    authors: post.authors,
    mentioned: sql`${post.mentioned} || ${post.mentionedInOriginal}`,
    domains: post.domains,
  })

/** Whether no exclusive list of `f.account_id` has the author. */
export const isInNoExclusiveList = (author: Sql): Sql => sql`not exists (
  select from list_accounts xl where xl.owner_id = f.account_id and xl.account_id = ${author} and xl.exclusive)`

/** A post `s` of `a`, which may boost `o` of `oa` (left joined), as a candidate. */
export const candidateColumns: Candidate = {
  author: sql`s.account_id`,
  authors: sql`array[s.account_id, o.account_id]`,
  domains: sql`array[a.domain, oa.domain]`,
  mentioned: sql`array(select mn.account_id from mentions mn where mn.status_id = s.id)`,
  mentionedInOriginal: sql`array(select mn.account_id from mentions mn where mn.status_id = s.reblog_of_id)`,
  limited: sql`case when oa.silenced_at is not null then oa.id end`,
  language: sql`coalesce(o.language, s.language)`,
  isBoost: sql`(s.reblog_of_id is not null)`,
  isDirect: sql`(s.visibility = 'direct')`,
  isReply: sql`s.reply`,
  replyTo: sql`s.in_reply_to_account_id`,
}

/** How many entries of a feed a boost looks back over: what is among them is not shown again. */
export const REPEAT_WINDOW = 40

type Entry = { status_id: string; original_id: string }

/**
 * Leaves out boosts of what stands among the entries just before them. `entries` go from the oldest to the newest; existing
 * ones always stay.
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
