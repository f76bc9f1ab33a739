import type { Context } from '../../context.ts'
import type { Accounts } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { Forbidden } from '../../lib/errors.ts'
import { followColumns } from '../relationships/follows.ts'
import { accountUri } from '../server/addresses.ts'
import type { InteractionKind, InteractionPolicy } from './draft.ts'
import type { StatusRow } from './find.ts'

/**
 * `approval`: the author's server has to approve the interaction, which proves the permission to third servers. Third servers
 * cannot verify follows, so followers and followed accounts need approval too.
 */
type Permission = 'allowed' | 'approval' | 'denied'

type Interacting = {
  uri: string
  isAuthor: boolean
  /** Mentioned in the status, or the account that it replies to. Both may always reply. */
  isAddressed: boolean
  follows: boolean
  followed: boolean
}

/** The account must be able to see the status. More specific entries win, then more permissive ones. */
function permissionUnder(
  policy: InteractionPolicy | null,
  kind: InteractionKind,
  { uri, isAuthor, isAddressed, follows, followed }: Interacting,
): Permission {
  const rule = policy?.[kind]
  if (!rule || isAuthor || (kind === 'reply' && isAddressed)) return 'allowed'
  const includesRelated = (entries: readonly string[]): boolean =>
    (follows && entries.includes('followers')) || (followed && entries.includes('following'))
  if (rule.automatic.includes(uri)) return 'allowed'
  if (rule.manual.includes(uri)) return 'approval'
  const isOpen = rule.automatic.includes('public')
  if (includesRelated(rule.automatic)) return isOpen ? 'allowed' : 'approval'
  if (includesRelated(rule.manual)) return 'approval'
  if (isOpen) return 'allowed'
  return rule.manual.includes('public') ? 'approval' : 'denied'
}

/** The account must be able to see the status. Statuses that lack approval themselves allow nothing. */
export async function permissionFor(
  ctx: Context,
  status: StatusRow,
  accountId: string,
  kind: InteractionKind,
): Promise<Permission> {
  if (status.approval !== null) return 'denied'
  if (!status.interaction_policy?.[kind]) return 'allowed'
  const { username, uri, ...related } = await ctx.db.one<
    Pick<Accounts, 'username' | 'uri'> & { isAddressed: boolean; follows: boolean; followed: boolean }
  >(sql`
    select a.username, a.uri,
      a.id = ${status.in_reply_to_account_id}::bigint is true
        or exists (select from mentions where status_id = ${status.id} and account_id = a.id) as "isAddressed",
      ${followColumns(sql`a.id`, status.account_id)}
    from accounts a where a.id = ${accountId}`)
  const isAuthor = accountId === status.account_id
  return permissionUnder(status.interaction_policy, kind, {
    uri: uri ?? accountUri(ctx, username),
    isAuthor,
    ...related,
  })
}

/** For local accounts. Throws Forbidden where the policy denies the interaction. */
export async function needsApproval(
  ctx: Context,
  status: StatusRow,
  accountId: string,
  kind: InteractionKind,
): Promise<boolean> {
  const permission = await permissionFor(ctx, status, accountId, kind)
  if (permission === 'denied') throw new Forbidden()
  return permission === 'approval'
}
