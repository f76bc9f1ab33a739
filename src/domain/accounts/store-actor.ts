import type { Actor } from '../../ap/actor.ts'
import { pemFromMultibase } from '../../ap/keys.ts'
import type { NoteTag } from '../../ap/tags.ts'
import type { Context } from '../../context.ts'
import { commaList, name, sql } from '../../db/sql.ts'
import { pastDate } from '../../lib/dates.ts'
import { newId } from '../../lib/ids.ts'
import { sanitizeField, sanitizeNote, withParagraphs } from '../../lib/sanitize.ts'
import { recordRemoteEmojis } from '../emojis/remote.ts'
import { isLocalDomain, parseLocalUrl } from '../server/addresses.ts'
import { columnsFromActor, profileAttributeList, toLine } from './profile-attributes.ts'
import { accountColumns, type AccountRow, hasHandle, isShown, type ProfileField } from './find.ts'

const MAX_FIELDS = 16
const MAX_EMOJIS = 64

export type ConfirmedHandle = { username: string; domain: string }

export type StoredActor = {
  id: string
  /** The account was known under another ActivityPub id. */
  hasNewUri: boolean
  hasNewLinks: boolean
  /** It was known, and its owner changed whether its statuses may be searched. */
  indexableChanged: boolean
  /** The account that had the handle before, and lost it. */
  displacedId: string | null
  oldFiles: string[]
}

/**
 * Stores an actor's document under a confirmed handle. The ActivityPub id identifies an actor, who may change its handle. A
 * known handle may come with another id, when its server was set up again: the account then continues under the new id.
 * `silenced`: a new account starts as limited. `before`: the account before its document was requested. If it was stored since,
 * this stores nothing and returns null. With null, it always stores. Needs a transaction.
 */
export async function storeActor(
  tx: Context,
  actor: Actor,
  handle: ConfirmedHandle,
  options: { silenced: boolean; before: AccountRow | null },
): Promise<StoredActor | null> {
  const rows = await lockRows(tx, actor, handle)
  const { before } = options
  if (before && rows.some((row) => row.id === before.id && row.fetched_at?.getTime() !== before.fetched_at?.getTime()))
    return null
  const { found, displacedId } = await claimHandle(tx, actor, rows)
  const stored = found
    ? await updateRow(tx, found, actor, handle)
    : await insertRow(tx, actor, handle, options.silenced)
  await storeKeys(tx, stored.id, actor)
  await recordRemoteEmojis(tx, handle.domain, remoteEmojis(actor.tags))
  return { ...stored, displacedId }
}

type StoredRow = Omit<StoredActor, 'displacedId'>

/** The accounts with the handle or the id. Locks both first, so that two concurrent requests do not insert two rows. */
async function lockRows(tx: Context, actor: Actor, handle: ConfirmedHandle): Promise<AccountRow[]> {
  await tx.db.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`handle ${handle.username.toLowerCase()}@${handle.domain}`}, 0))`,
  )
  await tx.db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`actor ${actor.id}`}, 0))`)
  return tx.db.many<AccountRow>(sql`
    select ${accountColumns} from accounts a
    where a.uri = ${actor.id} or ${hasHandle(tx, handle)}`)
}

/** Finds the account with the id, or otherwise with the handle. When these are two, the other one loses the handle. */
async function claimHandle(
  tx: Context,
  actor: Actor,
  rows: readonly AccountRow[],
): Promise<{ found: AccountRow | null; displacedId: string | null }> {
  const known = rows.find((row) => row.uri === actor.id)
  const other = rows.find((row) => row.uri !== actor.id)
  if (known && other) {
    // The handle changed hands: the account that had it gets a placeholder until it is fetched again.
    await tx.db.run(sql`update accounts set username = username || '.' || id, fetched_at = null where id = ${other.id}`)
    return { found: known, displacedId: other.id }
  }
  return { found: known ?? other ?? null, displacedId: null }
}

async function insertRow(tx: Context, actor: Actor, handle: ConfirmedHandle, silenced: boolean): Promise<StoredRow> {
  const profile = profileOf(tx, actor)
  const id = newId()
  const createdAt = pastDate(actor.published) ?? new Date()
  await tx.db.run(sql`
    insert into accounts (id, username, domain, uri, created_at, silenced_at, silenced_by_domain, ${COLUMNS})
    select ${id}::bigint, ${handle.username}, ${handle.domain}, ${actor.id}, ${createdAt}::timestamptz, case when ${silenced} then now() end, ${silenced}::boolean, ${COLUMNS} from ${profileRow(profile)}`)
  await tx.db.run(sql`insert into account_stats (account_id) values (${id}) on conflict do nothing`)
  await tx.db.run(sql`insert into peers (domain) values (${handle.domain}) on conflict do nothing`)
  return { id, hasNewUri: false, hasNewLinks: hasNewLinks(profile.fields, []), indexableChanged: false, oldFiles: [] }
}

async function updateRow(tx: Context, before: AccountRow, actor: Actor, handle: ConfirmedHandle): Promise<StoredRow> {
  const profile = profileOf(tx, actor, before)
  const avatarChanged = profile.avatar_remote_url !== before.avatar_remote_url
  const headerChanged = profile.header_remote_url !== before.header_remote_url
  await tx.db.run(sql`
    update accounts a set username = ${handle.username}, domain = ${handle.domain}, uri = ${actor.id}, (${COLUMNS}) = (select ${COLUMNS} from ${profileRow(profile)}),
      avatar_key = case when ${avatarChanged} then null else avatar_key end, avatar_static_key = case when ${avatarChanged} then null else avatar_static_key end,
      header_key = case when ${headerChanged} then null else header_key end, header_static_key = case when ${headerChanged} then null else header_static_key end
    where id = ${before.id}`)
  const avatar = avatarChanged ? [before.avatar_key, before.avatar_static_key] : []
  const header = headerChanged ? [before.header_key, before.header_static_key] : []
  return {
    id: before.id,
    hasNewUri: before.uri !== actor.id,
    hasNewLinks: hasNewLinks(profile.fields, before.fields),
    indexableChanged: profile.indexable !== before.indexable,
    oldFiles: [...avatar, ...header].filter((key) => key !== null),
  }
}

/** The columns that an actor's document fills, besides those that `profileRow` computes. */
const DOCUMENT_COLUMNS = [
  ...profileAttributeList.flatMap(([, { column, fromActor }]) => (fromActor ? [column] : [])),
  'note',
  'fields',
  'emojis',
  'url',
  'avatar_remote_url',
  'header_remote_url',
  'memorial',
  'also_known_as',
  'inbox_url',
  'shared_inbox_url',
  'outbox_url',
  'followers_url',
  'following_url',
  'featured_url',
  'featured_tags_url',
  'featured_collections_url',
  'devices_url',
  'feature_policy',
] as const
const COLUMNS = commaList([...DOCUMENT_COLUMNS, 'moved_to_id', 'fetched_at'].map(name))

const profileRow = (profile: Profile) => sql`(
  select ${commaList(DOCUMENT_COLUMNS.map((column) => name(`p.${column}`)))},
    (select a.id from accounts a
      where (a.uri = ${profile.moved_to} or (a.domain is null and a.username = ${profile.moved_to_local})) and a.uri is distinct from ${profile.uri}
        and ${isShown} limit 1) as moved_to_id,
    now() as fetched_at
  from jsonb_populate_record(null::accounts, ${JSON.stringify(profile)}::jsonb) p) p`

type Profile = ReturnType<typeof profileOf>

function profileOf(ctx: Context, actor: Actor, before?: AccountRow) {
  const sharedInbox =
    actor.sharedInbox !== null && !isLocalDomain(ctx, new URL(actor.sharedInbox).host) ? actor.sharedInbox : null
  return {
    uri: actor.id,
    ...columnsFromActor(actor),
    note: sanitizeNote(withParagraphs(actor.summary ?? '')),
    fields: actor.fields.slice(0, MAX_FIELDS).map((field) => fieldOf(field, before?.fields ?? [])),
    emojis: remoteEmojis(actor.tags),
    url: actor.url ?? actor.id,
    avatar_remote_url: actor.icon?.url ?? null,
    header_remote_url: actor.image?.url ?? null,
    memorial: actor.memorial,
    also_known_as: actor.alsoKnownAs,
    moved_to: actor.movedTo,
    // Local accounts have no URI in the database.
    moved_to_local: actor.movedTo === null ? null : (parseLocalUrl(ctx, actor.movedTo)?.username ?? null),
    inbox_url: actor.inbox,
    shared_inbox_url: sharedInbox,
    outbox_url: actor.outbox,
    followers_url: actor.followers,
    following_url: actor.following,
    featured_url: actor.featured,
    featured_tags_url: actor.featuredTags,
    featured_collections_url: actor.featuredCollections,
    devices_url: actor.devices,
    feature_policy: actor.featurePolicy,
  }
}

function fieldOf(given: { name: string; value: string }, before: readonly ProfileField[]): ProfileField {
  const name = toLine(given.name)
  const html = sanitizeField(given.value)
  const same = before.find((field) => field.name === name && field.value === html)
  return { name, value: html, html, verified_at: same?.verified_at ?? null }
}

const hasNewLinks = (fields: readonly ProfileField[], before: readonly ProfileField[]): boolean =>
  fields.some(({ html }) => html.startsWith('<a ') && before.every((field) => field.html !== html))

export function remoteEmojis(tags: readonly NoteTag[]): { shortcode: string; url: string }[] {
  const emojis = tags.flatMap(({ type, name, icon }) => {
    const shortcode = name.replace(/^:|:$/g, '')
    return type === 'Emoji' && icon && /^[a-zA-Z0-9_]{1,100}$/.test(shortcode) ? [{ shortcode, url: icon.url }] : []
  })
  return [...new Map(emojis.map((emoji) => [emoji.shortcode, emoji])).values()].slice(0, MAX_EMOJIS)
}

/**
 * Replaces the account's keys by those whose ids begin with the actor's own. Other keys on its host may belong to another
 * actor, and are looked up when they sign a request.
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

export function keysOf(actor: Actor): { id: string; pem: string }[] {
  const multikeys = actor.assertionMethods.flatMap(({ id, publicKeyMultibase }) => {
    const pem = pemFromMultibase(publicKeyMultibase)
    return pem === null ? [] : [{ id, pem }]
  })
  return [...actor.publicKeys, ...multikeys]
}

/** Whether an id is the actor's own, alone or followed by a fragment, path or query. */
const isBeneath = (id: string, actorId: string): boolean =>
  id === actorId || (id.startsWith(actorId) && /^[#/?]/.test(id.slice(actorId.length)))
