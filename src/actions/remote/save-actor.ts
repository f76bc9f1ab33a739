import type { Actor } from '../../ap/actor.ts'
import { pemFromMultibase } from '../../ap/keys.ts'
import type { NoteTag } from '../../ap/tags.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { newId } from '../../lib/ids.ts'
import { sanitizeField, sanitizeNote } from '../../lib/sanitize.ts'
import { cutText } from '../../lib/text/count.ts'
import { isLocalDomain, parseLocalUrl } from '../../domain/server/addresses.ts'
import { domainPolicy } from '../../domain/peers/domain-policy.ts'
import type { AccountRow, ProfileField } from '../../domain/accounts/find.ts'
import { federate } from '../federate.ts'

const LONGEST_NAME = 500
const MOST_FIELDS = 16
const MOST_EMOJIS = 64
/** Links of profiles are looked at some time within so many seconds: all servers learn of a profile at once. */
const VERIFY_WITHIN = 600

/** A handle that its host confirmed to be the actor's. */
type Handle = { username: string; domain: string }
type Stored = { id: string; hasMoved: boolean; hasNewLinks: boolean; oldKeys: string[] }

/**
 * Stores what an actor's document says of it, under a handle that was confirmed; gives the account's id. The uri tells who it is:
 * a known actor may change its handle. A known handle may come with another uri, when its server was set up anew: the account
 * then goes on under the new uri, and its followers here ask to follow it again.
 */
export async function upsertActor(ctx: Context, actor: Actor, handle: Handle): Promise<string> {
  const policy = await domainPolicy(ctx, handle.domain)
  const { oldKeys, ...stored } = await ctx.transaction(async (tx) => {
    const found = await findRow(tx, actor, handle)
    const stored = found ? await update(tx, found, actor, handle) : await insert(tx, actor, handle, policy.silenced)
    await storeKeys(tx, stored.id, actor)
    if (stored.hasMoved) await followAgain(tx, stored.id)
    if (!policy.rejectMedia && (actor.icon || actor.image))
      await tx.enqueue('media.cache', { accountId: stored.id }, { key: `account ${stored.id}` })
    if (stored.hasNewLinks)
      await tx.enqueue(
        'accounts.verify-links',
        { accountId: stored.id },
        { delay: Math.ceil(Math.random() * VERIFY_WITHIN) },
      )
    return stored
  })
  if (oldKeys.length > 0) await ctx.files.delete(oldKeys)
  return stored.id
}

/** The account of this actor, under a lock on its handle and uri, lest two who met it at once make two of it. */
async function findRow(tx: Context, actor: Actor, handle: Handle): Promise<AccountRow | null> {
  await tx.db.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`handle ${handle.username.toLowerCase()}@${handle.domain}`}, 0))`,
  )
  await tx.db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`actor ${actor.id}`}, 0))`)
  const rows = await tx.db.many<AccountRow>(sql`
    select * from accounts where uri = ${actor.id} or (lower(username) = ${handle.username.toLowerCase()} and coalesce(domain, '') = ${handle.domain})`)
  const known = rows.find((row) => row.uri === actor.id)
  const other = rows.find((row) => row.uri !== actor.id)
  if (known && other) {
    // The handle was handed over. Who had it is asked what has become of it.
    await tx.db.run(sql`update accounts set username = username || '.' || id where id = ${other.id}`)
    await tx.enqueue('federation.refresh', { accountId: other.id, force: true })
  }
  return known ?? other ?? null
}

async function insert(tx: Context, actor: Actor, handle: Handle, silenced: boolean): Promise<Stored> {
  const p = profileOf(tx, actor)
  const id = newId()
  const createdAt = actor.published && actor.published.getTime() < Date.now() ? actor.published : new Date()
  await tx.db.run(sql`
    insert into accounts (id, username, domain, uri, created_at, silenced_at, ${COLUMNS})
    select ${id}::bigint, ${handle.username}, ${handle.domain}, ${actor.id}, ${createdAt}::timestamptz, case when ${silenced} then now() end, ${COLUMNS} from ${profileRow(p)}`)
  await tx.db.run(sql`insert into account_stats (account_id) values (${id}) on conflict do nothing`)
  return { id, hasMoved: false, hasNewLinks: hasNewLinks(p.fields, []), oldKeys: [] }
}

async function update(tx: Context, before: AccountRow, actor: Actor, handle: Handle): Promise<Stored> {
  const p = profileOf(tx, actor, before)
  const avatarChanged = p.avatar_remote_url !== before.avatar_remote_url
  const headerChanged = p.header_remote_url !== before.header_remote_url
  await tx.db.run(sql`
    update accounts a set username = ${handle.username}, domain = ${handle.domain}, uri = ${actor.id}, (${COLUMNS}) = (select ${COLUMNS} from ${profileRow(p)}),
      avatar_key = case when ${avatarChanged} then null else avatar_key end, avatar_static_key = case when ${avatarChanged} then null else avatar_static_key end,
      header_key = case when ${headerChanged} then null else header_key end, header_static_key = case when ${headerChanged} then null else header_static_key end
    where id = ${before.id}`)
  if (p.indexable !== before.indexable) await tx.enqueue('search.account', { accountId: before.id, after: '0' })
  const avatar = avatarChanged ? [before.avatar_key, before.avatar_static_key] : []
  const header = headerChanged ? [before.header_key, before.header_static_key] : []
  return {
    id: before.id,
    hasMoved: before.uri !== actor.id,
    hasNewLinks: hasNewLinks(p.fields, before.fields),
    oldKeys: [...avatar, ...header].filter((key) => key !== null),
  }
}

/** The columns that an actor's document fills, in one place for both statements. */
const COLUMNS = sql`display_name, note, fields, emojis, actor_type, url, avatar_remote_url, avatar_description, header_remote_url, header_description,
  locked, discoverable, indexable, memorial, also_known_as, attribution_domains, moved_to_id,
  inbox_url, shared_inbox_url, outbox_url, followers_url, following_url, featured_url, featured_tags_url, fetched_at`

const profileRow = (p: Profile) => sql`(
  select p.display_name, p.note, p.fields, p.emojis, p.actor_type, p.url, p.avatar_remote_url, p.avatar_description, p.header_remote_url, p.header_description,
    p.locked, p.discoverable, p.indexable, p.memorial, p.also_known_as, p.attribution_domains,
    (select m.id from accounts m where (m.uri = ${p.moved_to} or (m.domain is null and m.username = ${p.moved_to_ours})) and ${p.uri} = any(m.also_known_as) limit 1) as moved_to_id,
    p.inbox_url, p.shared_inbox_url, p.outbox_url, p.followers_url, p.following_url, p.featured_url, p.featured_tags_url, now() as fetched_at
  from jsonb_populate_record(null::accounts, ${JSON.stringify(p)}::jsonb) p) p`

type Profile = ReturnType<typeof profileOf>

function profileOf(ctx: Context, actor: Actor, before?: AccountRow) {
  const sharedInbox =
    actor.sharedInbox !== null && !isLocalDomain(ctx, new URL(actor.sharedInbox).host) ? actor.sharedInbox : null
  return {
    uri: actor.id,
    display_name: lineOf(actor.name ?? ''),
    note: sanitizeNote(actor.summary ?? ''),
    fields: actor.fields.slice(0, MOST_FIELDS).map((field) => fieldOf(field, before?.fields ?? [])),
    emojis: remoteEmojis(actor.tags),
    actor_type: actor.type,
    url: actor.url ?? actor.id,
    avatar_remote_url: actor.icon?.url ?? null,
    avatar_description: cutText(actor.icon?.description ?? '', 1500),
    header_remote_url: actor.image?.url ?? null,
    header_description: cutText(actor.image?.description ?? '', 1500),
    locked: actor.manuallyApprovesFollowers,
    discoverable: actor.discoverable,
    indexable: actor.indexable ?? false,
    memorial: actor.memorial,
    also_known_as: actor.alsoKnownAs.slice(0, 20),
    attribution_domains: actor.attributionDomains.slice(0, 20),
    moved_to: actor.movedTo,
    // People of this server have no address of their own in the database.
    moved_to_ours: actor.movedTo === null ? null : (parseLocalUrl(ctx, actor.movedTo)?.username ?? null),
    inbox_url: actor.inbox,
    shared_inbox_url: sharedInbox,
    outbox_url: actor.outbox,
    followers_url: actor.followers,
    following_url: actor.following,
    featured_url: actor.featured,
    featured_tags_url: actor.featuredTags,
  }
}

const lineOf = (text: string): string => cutText(text.replace(/\s+/g, ' ').trim(), LONGEST_NAME)

function fieldOf({ name, value }: { name: string; value: string }, before: readonly ProfileField[]): ProfileField {
  const html = sanitizeField(value)
  const same = before.find((field) => field.name === name && field.value === html)
  return { name: lineOf(name), value: html, html, verified_at: same?.verified_at ?? null }
}

/** Whether there are fields that could be verified and were not there before. */
const hasNewLinks = (fields: readonly ProfileField[], before: readonly ProfileField[]): boolean =>
  fields.some(({ html }) => html.startsWith('<a ') && before.every((field) => field.html !== html))

/** The custom emojis among the tags of a document: shortcode and picture. */
export function remoteEmojis(tags: readonly NoteTag[]): { shortcode: string; url: string }[] {
  const emojis = tags.flatMap(({ type, name, icon }) => {
    const shortcode = name.replace(/^:|:$/g, '')
    return type === 'Emoji' && icon && /^[a-zA-Z0-9_]{1,100}$/.test(shortcode) ? [{ shortcode, url: icon.url }] : []
  })
  return [...new Map(emojis.map((emoji) => [emoji.shortcode, emoji])).values()].slice(0, MOST_EMOJIS)
}

/**
 * Replaces the account's keys. Only ids beneath the actor's own are taken from its document: what else is on its host may be
 * somebody else's, and is looked up when it signs something.
 */
async function storeKeys(tx: Context, accountId: string, actor: Actor): Promise<void> {
  const keys = keysOf(actor).filter(({ id }) => isBeneath(id, actor.id))
  const ids = keys.map(({ id }) => id)
  const pems = keys.map(({ pem }) => pem)
  await tx.db.run(sql`delete from account_keys where account_id = ${accountId} and key_id <> all(${ids}::text[])`)
  await tx.db.run(sql`
    insert into account_keys (key_id, account_id, public_key)
    select distinct on (key_id) key_id, ${accountId}::bigint, public_key from unnest(${ids}::text[], ${pems}::text[]) as k (key_id, public_key)
    on conflict (key_id) do update set account_id = excluded.account_id, public_key = excluded.public_key where account_keys.private_key is null`)
}

/** All public keys of an actor, of either kind. */
export function keysOf(actor: Actor): { id: string; pem: string }[] {
  const multikeys = actor.assertionMethods.flatMap(({ id, publicKeyMultibase }) => {
    const pem = pemFromMultibase(publicKeyMultibase)
    return pem === null ? [] : [{ id, pem }]
  })
  return [...actor.publicKeys, ...multikeys]
}

/** Whether an id is the actor's own, alone or with something behind it: a fragment, a path below, a parameter. */
const isBeneath = (id: string, actorId: string): boolean =>
  id === actorId || (id.startsWith(actorId) && /^[#/?]/.test(id.slice(actorId.length)))

/** The followers here of an account whose server forgot them. */
async function followAgain(tx: Context, accountId: string): Promise<void> {
  const follows = await tx.db.many<{ id: string; account_id: string }>(sql`
    select f.id, f.account_id from follows f join accounts a on a.id = f.account_id where f.target_account_id = ${accountId} and a.domain is null`)
  await federate(
    tx,
    follows.map((row) => ({
      activity: 'follow' as const,
      accountId: row.account_id,
      targetAccountId: accountId,
      followId: row.id,
    })),
  )
}
