import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { findWarnings, type Warning, WARNING_ACTIONS, type WarningAction } from '../domain/moderation/warnings.ts'
import { jsonObject, type JsonText } from '../lib/json.ts'
import { presentAccountMap } from './account-presenter.ts'
import { Account } from './account.ts'
import { DateTime, Id, nullable } from './schema.ts'

/** https://docs.joinmastodon.org/entities/Appeal/ */
const Appeal = Type.Object(
  {
    text: Type.String(),
    state: Type.Union([Type.Literal('approved'), Type.Literal('rejected'), Type.Literal('pending')]),
  },
  { $id: 'Appeal' },
)

/** https://docs.joinmastodon.org/entities/AccountWarning/ */
export const AccountWarning = Type.Object(
  {
    id: Id,
    action: Type.Unsafe<WarningAction>(Type.Union(WARNING_ACTIONS.map((action) => Type.Literal(action)))),
    text: Type.String(),
    status_ids: nullable(Type.Array(Id)),
    target_account: Account,
    appeal: nullable(Appeal),
    created_at: DateTime,
  },
  { $id: 'AccountWarning' },
)
export type AccountWarning = Static<typeof AccountWarning>

/** The caller has checked that the warnings are the viewer's. */
export async function presentWarningMap(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, JsonText<AccountWarning>>> {
  const warnings = await findWarnings(ctx, ids)
  const accounts = await presentAccountMap(
    ctx,
    warnings.map((warning) => warning.target_account_id),
  )
  return new Map(
    warnings.flatMap((warning) => {
      const account = accounts.get(warning.target_account_id)
      return account ? [[warning.id, present(warning, account)] as const] : []
    }),
  )
}

const present = (warning: Warning, account: JsonText<Account>): JsonText<AccountWarning> =>
  jsonObject<AccountWarning>({
    id: warning.id,
    action: warning.action,
    text: warning.text,
    status_ids: warning.status_ids.length > 0 ? warning.status_ids : null,
    target_account: account,
    appeal: warning.appeal && { text: warning.appeal.text, state: warning.appeal.state },
    created_at: warning.created_at.toISOString(),
  })
