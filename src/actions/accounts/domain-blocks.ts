import { normaliseDomain } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Page } from '../../db/page.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { invalidField } from '../../lib/errors.ts'
import { isOurDomain } from '../../domain/server/addresses.ts'
import { removeFromLists } from '../../domain/lists/members.ts'
import { recordSeverance } from '../notifications/notify.ts'
import { countLoss, uncountFollows, type Tie } from '../../domain/relationships/counts.ts'
import { unendorse } from '../../domain/relationships/endorse.ts'
import { lockDomains } from '../../domain/relationships/relationship.ts'
import { federate } from '../federate.ts'

/** A domain that somebody blocks; `id` is the cursor. */
export type DomainBlockRow = { id: string; domain: string }

/** How many follows between a person and the people of a domain there are, or were ended. Requests do not count. */
export type Severance = { following: number; followers: number }

type Ended = { id: string; account_id: string; target_account_id: string; uri: string | null; request: boolean }

/** Which domains an account blocks, the newest block first. */
export async function listDomainBlocks(ctx: Context, accountId: string, page: Page): Promise<DomainBlockRow[]> {
  const rows = await ctx.db.many<DomainBlockRow>(sql`
    select id, domain from account_domain_blocks where account_id = ${accountId} and ${within(sql`id`, page)} ${ordered(sql`id`, page)}`)
  return newestFirst(rows, page)
}

/** A domain as it is stored. Throws Invalid for what is none, and for this server's own. */
export function checkDomain(ctx: Context, text: string): string {
  const domain = normaliseDomain(text.trim().replace(/^@/, ''))
  if (domain === null) throw invalidField('domain', 'domain_invalid')
  if (isOurDomain(ctx, domain)) throw invalidField('domain', 'domain_own')
  return domain
}

/** What a block of a domain would end. */
export async function previewDomainBlock(ctx: Context, accountId: string, domain: string): Promise<Severance> {
  return ctx.db.one<Severance>(sql`
    select (select count(*)::int from follows f join accounts a on a.id = f.target_account_id where f.account_id = ${accountId} and a.domain = ${domain}) as following,
      (select count(*)::int from follows f join accounts a on a.id = f.account_id where f.target_account_id = ${accountId} and a.domain = ${domain}) as followers`)
}

/**
 * Blocks a domain for one account: follows and requests between the two end, whichever way; notifications from there are gone;
 * nobody of it is in lists or endorsed; its posts are not shown at home and in public feeds. Tells the account what it has
 * lost. Gives what it ended; nothing when it was blocked before. The domain is one that `checkDomain` gave.
 */
export async function blockDomain(ctx: Context, accountId: string, domain: string): Promise<Severance> {
  return ctx.transaction(async (tx) => {
    await lockDomains(tx, accountId)
    const made = await tx.db.maybe(sql`
      insert into account_domain_blocks (account_id, domain) values (${accountId}, ${domain}) on conflict do nothing returning id`)
    if (!made) return { following: 0, followers: 0 }
    const ended = await end(tx, accountId, domain)
    const follows = ended.filter(({ request }) => !request)
    await uncountFollows(tx, follows)
    const others = ended.filter((tie) => tie.account_id === accountId).map((tie) => tie.target_account_id)
    await removeFromLists(tx, accountId, others)
    await unendorse(tx, accountId, others)
    await tx.db.run(sql`
      delete from notifications n using accounts a where n.account_id = ${accountId} and a.id = n.from_account_id and a.domain = ${domain}`)
    await tellOthers(tx, accountId, ended)
    await tx.enqueue('fanout.rebuild', { accountId })
    const lost = countLoss(follows, accountId)
    await recordSeverance(tx, { type: 'user_domain_block', targetName: domain, losses: [{ accountId, ...lost }] })
    return lost
  })
}

/** Ends all that ties an account to the people of a domain. Requests first: what is accepted meanwhile is then seen as a follow. */
async function end(tx: Context, accountId: string, domain: string): Promise<Ended[]> {
  const between = (table: Sql): Sql => sql`id in (
    select t.id from ${table} t join accounts a on a.id = t.target_account_id where t.account_id = ${accountId} and a.domain = ${domain}
    union all select t.id from ${table} t join accounts a on a.id = t.account_id where t.target_account_id = ${accountId} and a.domain = ${domain})`
  const columns = sql`id, account_id, target_account_id, uri`
  const requests = await tx.db.many<Ended>(
    sql`delete from follow_requests where ${between(sql`follow_requests`)} returning ${columns}, true as request`,
  )
  const follows = await tx.db.many<Ended>(
    sql`delete from follows where ${between(sql`follows`)} returning ${columns}, false as request`,
  )
  return [...requests, ...follows]
}

async function tellOthers(
  tx: Context,
  accountId: string,
  ended: readonly (Tie & { id: string; uri: string | null })[],
): Promise<void> {
  const [mine, theirs] = [
    ended.filter((tie) => tie.account_id === accountId),
    ended.filter((tie) => tie.account_id !== accountId),
  ]
  await federate(
    tx,
    mine.map((tie) => ({
      activity: 'follow' as const,
      undo: true as const,
      accountId,
      targetAccountId: tie.target_account_id,
      followId: tie.id,
    })),
  )
  await federate(
    tx,
    theirs.map((tie) => ({
      activity: 'answer-follow' as const,
      accepted: false,
      accountId,
      targetAccountId: tie.account_id,
      followUri: tie.uri,
    })),
  )
}

/** Takes the block of a domain back. No follow comes back with it. */
export async function unblockDomain(ctx: Context, accountId: string, domain: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const gone = await tx.db.run(
      sql`delete from account_domain_blocks where account_id = ${accountId} and domain = ${domain}`,
    )
    if (gone > 0) await tx.enqueue('fanout.rebuild', { accountId })
  })
}
