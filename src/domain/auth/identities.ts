// The identities of users at the OpenID Connect provider.
import { type Context, perServer } from '../../context.ts'
import type { Identities } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { OIDC_CALLBACK, type ProviderSettings } from '../../lib/identity-provider-settings.ts'
import { isEmail } from '../../lib/mail.ts'
import { cutText } from '../../lib/text/count.ts'
import { IdentityProvider, type IdentityClaims } from '../../net/identity-provider.ts'
import { DISPLAY_NAME_LIMIT } from '../accounts/profile-attributes.ts'
import { isReservedName, MAX_USERNAME } from './user-rules.ts'
import { stateColumns, stateOf, type StateRow, type UserState } from './viewer.ts'

const providers = perServer(({ config, fetch }) =>
  config.oidc ? new IdentityProvider(config.oidc, config.baseUrl + OIDC_CALLBACK, fetch) : null,
)

/** Throws NotFound on servers without a provider. */
export function identityProvider(ctx: Context): { provider: IdentityProvider; settings: ProviderSettings } {
  const [provider, settings] = [providers(ctx), ctx.config.oidc]
  if (!provider || !settings) throw new NotFound()
  return { provider, settings }
}

export type Identity = Pick<Identities, 'issuer' | 'subject'>

/** A user as the provider describes them. `username` is valid, but may be in use; `email` is null unless it is a mail address. */
export type ProvenIdentity = Identity & {
  username: string
  displayName: string
  email: string | null
  emailVerified: boolean
}

export function identityOf(claims: IdentityClaims, settings: ProviderSettings): ProvenIdentity {
  const text = (name: string): string => {
    const claim = claims[name]
    return typeof claim === 'string'
      ? claim
          .toWellFormed()
          .replaceAll(/[\p{Cc}\s]+/gu, ' ')
          .trim()
      : ''
  }
  const email = isEmail(text('email')) ? text('email') : null
  // Some providers send this boolean as a string.
  const isVerified = claims.email_verified === true || claims.email_verified === 'true'
  return {
    issuer: claims.issuer,
    subject: claims.subject,
    username: usernameFrom(text(settings.uidField) || claims.subject),
    displayName: cutText(text('name'), DISPLAY_NAME_LIMIT),
    email,
    emailVerified: email !== null && (isVerified || settings.assumesVerifiedEmail),
  }
}

/** As in Mastodon: the part before an @, without the characters that usernames may not contain. */
const usernameFrom = (uid: string): string =>
  (uid.split('@', 1)[0] ?? '').replaceAll(/\W/g, '').slice(0, MAX_USERNAME) || 'user'

/** How many names are tried: `ada`, `ada_1`, `ada_2`, … */
const MAX_NAMES = 1000

/** The first of them that is free, or `username` when none is. */
export async function freeUsername(ctx: Context, username: string): Promise<string> {
  const names = Array.from({ length: MAX_NAMES }, (_, n) => {
    const suffix = n === 0 ? '' : `_${n}`
    return username.slice(0, MAX_USERNAME - suffix.length) + suffix
  }).filter((name) => !isReservedName(ctx, name))
  const row = await ctx.db.maybe<{ name: string }>(sql`
    select name from unnest(${names}::text[]) with ordinality as tried (name, n)
    where not exists (select from accounts a where lower(a.username) = lower(tried.name) and coalesce(a.domain, '') = '')
    order by n limit 1`)
  return row?.name ?? username
}

export type IdentityUser = { userId: string; state: UserState; approved: boolean }

export async function findByIdentity(ctx: Context, { issuer, subject }: Identity): Promise<IdentityUser | null> {
  const row = await ctx.db.maybe<Pick<Identities, 'user_id'> & StateRow>(sql`
    select i.user_id, ${stateColumns}
    from identities i join users u on u.id = i.user_id join accounts a on a.id = u.account_id
    where i.issuer = ${issuer} and i.subject = ${subject}`)
  return row && { userId: row.user_id, state: stateOf(row), approved: row.approved }
}

/** The user who has confirmed this address and has no identity of this issuer. Ignores case. */
export async function findUnconnectedUser(ctx: Context, issuer: string, email: string): Promise<string | null> {
  const row = await ctx.db.maybe<{ id: string }>(sql`
    select u.id from users u where lower(u.email) = lower(${email}) and u.confirmed_at is not null
      and not exists (select from identities i where i.user_id = u.id and i.issuer = ${issuer})`)
  return row?.id ?? null
}

/** False when it belongs to a user already, or the user has another one of this issuer. */
export const insertIdentity = async (tx: Context, { issuer, subject }: Identity, userId: string): Promise<boolean> =>
  (await tx.db.run(sql`
    insert into identities (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId}) on conflict do nothing`)) >
  0

/** When the user connected the account to this issuer; null without a connection. */
export async function connectedSince(ctx: Context, issuer: string, userId: string): Promise<Date | null> {
  const row = await ctx.db.maybe<Pick<Identities, 'created_at'>>(
    sql`select created_at from identities where user_id = ${userId} and issuer = ${issuer}`,
  )
  return row?.created_at ?? null
}

/** Only users with a password, who can still sign in then. */
export const deleteIdentity = async (tx: Context, issuer: string, userId: string): Promise<boolean> =>
  (await tx.db.run(sql`
    delete from identities using users u
    where user_id = ${userId} and issuer = ${issuer} and u.id = user_id and u.password_hash is not null`)) > 0
