import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/** A remote actor's signing key and its owner. */
export type KeyOwner = {
  publicKeyPem: string
  /** Fetched for this request. */
  isFresh: boolean
  accountId: string
  uri: string
  domain: string
  suspended: boolean
}

/** A stored key of a remote account with its owner, or null. Keys of local accounts do not count. */
export async function findKnownKey(ctx: Context, keyId: string): Promise<KeyOwner | null> {
  const row = await ctx.db.maybe<Omit<KeyOwner, 'isFresh'>>(sql`
    select k.public_key as "publicKeyPem", a.id as "accountId", a.uri, a.domain, a.suspended_at is not null as suspended
    from account_keys k join accounts a on a.id = k.account_id
    where k.key_id = ${keyId} and k.private_key is null and a.domain is not null and a.uri is not null`)
  return row && { ...row, isFresh: false }
}

/** Stores a key of a remote account. */
export async function upsertRemoteKey(ctx: Context, keyId: string, accountId: string, pem: string): Promise<void> {
  await ctx.db.run(sql`
    insert into account_keys (key_id, account_id, public_key) values (${keyId}, ${accountId}, ${pem})
    on conflict (key_id) do update set account_id = excluded.account_id, public_key = excluded.public_key where account_keys.private_key is null`)
}
