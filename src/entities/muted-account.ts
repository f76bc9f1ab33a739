import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import type { MuteEntry } from '../domain/relationships/lists.ts'
import { concatJson, jsonArray, type JsonText } from '../lib/json.ts'
import { accountMembers } from './account.ts'
import { presentAccountMap } from './account-presenter.ts'
import { DateTime, nullable } from './schema.ts'

/** https://docs.joinmastodon.org/entities/Account/#MutedAccount */
export const MutedAccount = Type.Object(
  { ...accountMembers, mute_expires_at: nullable(DateTime) },
  { $id: 'MutedAccount' },
)
export type MutedAccount = Static<typeof MutedAccount>

/** A JSON array of the accounts that are muted, each with when that ends. */
export async function presentMutedAccounts(
  ctx: Context,
  mutes: readonly MuteEntry[],
): Promise<JsonText<MutedAccount[]>> {
  const accounts = await presentAccountMap(
    ctx,
    mutes.map((mute) => mute.account_id),
  )
  return jsonArray(
    mutes.flatMap((mute) => {
      const account = accounts.get(mute.account_id)
      if (!account) return []
      return [
        concatJson<MutedAccount>([account.subarray(0, -1), `,"mute_expires_at":${JSON.stringify(mute.expires_at)}}`]),
      ]
    }),
  )
}
