import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { jsonArray, jsonObject, type JsonText } from '../lib/json.ts'
import { Account } from './account.ts'
import { presentAccountMap } from './account-presenter.ts'
import { Id } from './schema.ts'

/** https://docs.joinmastodon.org/entities/FamiliarFollowers/ */
export const FamiliarFollowers = Type.Object({ id: Id, accounts: Type.Array(Account) }, { $id: 'FamiliarFollowers' })
export type FamiliarFollowers = Static<typeof FamiliarFollowers>

/** Presents, for each account, followers of it by id. */
export async function presentFamiliarFollowers(
  ctx: Context,
  familiar: ReadonlyMap<string, readonly string[]>,
): Promise<JsonText<FamiliarFollowers[]>> {
  const accounts = await presentAccountMap(ctx, [...familiar.values()].flat())
  const entries = [...familiar].map(([id, followers]) =>
    jsonObject<FamiliarFollowers>({
      id,
      accounts: jsonArray(followers.flatMap((follower) => accounts.get(follower) ?? [])),
    }),
  )
  return jsonArray(entries)
}
