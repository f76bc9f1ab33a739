import type { Context } from '../../context.ts'
import type { Collections } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { type ErrorDetail, type ErrorDetails, invalidFields } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { isTooLong } from '../../lib/text/count.ts'
import { isTagName } from '../../lib/text/tags.ts'
import { type Text, message } from '../../messages/message.ts'
import { getOrCreateTags } from '../tags/tags.ts'
import { refuseForeignCollection } from './visible.ts'
import { lockAccount } from '../users/locks.ts'

/** Returns the id. Throws Invalid with `details`, also above the limit of the owner's role. */
export async function insertCollection(tx: Context, ownerId: string, values: CollectionChanges): Promise<string> {
  const { name, description, language, tag_name, sensitive, discoverable } = checkCollection({ name: '', ...values })
  const tagId = await tagOf(tx, tag_name)
  await lockAccount(tx, ownerId)
  const id = newId()
  const inserted = await tx.db.run(sql`
    insert into collections (id, account_id, name, description, language, tag_id, sensitive, discoverable)
    select ${id}::bigint, ${ownerId}::bigint, ${name}, ${description ?? ''}, ${language ?? null}, ${tagId}::bigint,
      ${sensitive ?? false}::boolean, ${discoverable ?? true}::boolean
    where (select count(*) from collections where account_id = ${ownerId})
      < (select r.collection_limit from users u join roles r on r.id = u.role_id where u.account_id = ${ownerId})`)
  if (inserted === 0)
    throw invalidFields({
      base: [{ error: 'ERR_TOO_LONG', description: message('collection_limit') }],
    })
  return id
}

/**
 * Returns the accounts in the collection that must learn of a new name, description or hashtag. What staff marked as sensitive
 * stays so. Throws Invalid with `details`, Forbidden unless the collection is the owner's, NotFound.
 */
export async function updateCollectionRow(
  tx: Context,
  ownerId: string,
  id: string,
  changes: CollectionChanges,
): Promise<string[]> {
  const { name, description, language, tag_name, sensitive, discoverable } = checkCollection(changes)
  const tagId = await tagOf(tx, tag_name)
  const before = await tx.db.maybe<{ changes: boolean }>(sql`
    select (name, description, tag_id) is distinct from
      (coalesce(${name ?? null}, name), coalesce(${description ?? null}, description),
        case when ${tag_name !== undefined}::boolean then ${tagId}::bigint else tag_id end) as changes
    from collections where id = ${id} and account_id = ${ownerId} for no key update`)
  if (!before) return refuseForeignCollection(tx, ownerId, id)
  await tx.db.run(sql`
    update collections set updated_at = now(), name = coalesce(${name ?? null}, name), description = coalesce(${description ?? null}, description),
      language = case when ${language !== undefined}::boolean then ${language ?? null} else language end,
      tag_id = case when ${tag_name !== undefined}::boolean then ${tagId}::bigint else tag_id end,
      sensitive = coalesce(${sensitive ?? null}::boolean, sensitive) or exists (
        select from account_warnings w where w.target_account_id = collections.account_id and w.overruled_at is null
          and w.action = 'mark_statuses_as_sensitive' and collections.id = any(w.collection_ids)),
      discoverable = coalesce(${discoverable ?? null}::boolean, discoverable)
    where id = ${id}`)
  if (!before.changes) return []
  return findMembers(tx, id)
}

/** How many collections staff moderate at once. */
const MAX_MODERATED = 100

/** Those of `ids` that the account owns. `uri`: null for a local collection. */
export const findCollectionsOf = (
  ctx: Context,
  ownerId: string,
  ids: readonly string[],
): Promise<Pick<Collections, 'id' | 'uri' | 'name' | 'sensitive'>[]> =>
  ctx.db.many(sql`
    select id, uri, name, sensitive from collections
    where id = any(${ids.slice(0, MAX_MODERATED)}::bigint[]) and account_id = ${ownerId} order by id`)

export async function markRemoteCollectionSensitive(tx: Context, id: string): Promise<void> {
  await tx.db.run(sql`update collections set sensitive = true where id = ${id} and uri is not null`)
}

/** The accounts that are in a collection. */
export async function findMembers(ctx: Context, id: string): Promise<string[]> {
  const members = await ctx.db.many<{ account_id: string }>(sql`
    select account_id from collection_items where collection_id = ${id} and state = 'accepted'`)
  return members.map(({ account_id }) => account_id)
}

/** Returns the accounts that were in it, or asked to be. Throws Forbidden unless the collection is the owner's, NotFound. */
export async function deleteCollectionRow(tx: Context, ownerId: string, id: string): Promise<string[]> {
  const members = await tx.db.many<{ account_id: string }>(sql`
    select account_id from collection_items where collection_id = ${id} and state in ('pending', 'accepted')`)
  const deleted = await tx.db.run(sql`delete from collections where id = ${id} and account_id = ${ownerId}`)
  if (deleted === 0) await refuseForeignCollection(tx, ownerId, id)
  return members.map(({ account_id }) => account_id)
}

/** Throws Invalid when staff does not allow the hashtag. */
async function tagOf(tx: Context, name: string | null | undefined): Promise<string | null> {
  const [id] = name ? await getOrCreateTags(tx, [name]) : []
  if (!name || id === undefined) return null
  if (await tx.db.maybe(sql`select from tags where id = ${id} and not usable`))
    throw invalidFields({
      tag_name: [{ error: 'ERR_INVALID', description: message('tags_unusable', { tags: [name] }) }],
    })
  return id
}

const NAME_LIMIT = 40
const DESCRIPTION_LIMIT = 100
export const MAX_ITEMS = 25

/** Values of a new or changed collection. Absent members stay; an empty language or hashtag removes it. */
export type CollectionChanges = {
  name?: string | undefined
  description?: string | undefined
  language?: string | null | undefined
  tag_name?: string | null | undefined
  sensitive?: boolean | undefined
  discoverable?: boolean | undefined
}

/** The values to store: trimmed, null for what is removed. Throws Invalid with `details` that name every problem. */
function checkCollection(changes: CollectionChanges): CollectionChanges {
  const problems: ErrorDetails = {}
  const addProblem = (field: string, error: ErrorDetail['error'], description: Text): void =>
    void (problems[field] ??= []).push({ error, description })
  const addTooLong = (field: string, max: number): void =>
    addProblem(field, 'ERR_TOO_LONG', message('too_long', { count: max }))
  const clean = { ...changes }

  if (changes.name !== undefined) {
    clean.name = changes.name.trim()
    if (clean.name === '') addProblem('name', 'ERR_BLANK', message('blank'))
    if (isTooLong(clean.name, NAME_LIMIT)) addTooLong('name', NAME_LIMIT)
  }
  if (changes.description !== undefined) {
    clean.description = changes.description.trim()
    if (isTooLong(clean.description, DESCRIPTION_LIMIT)) addTooLong('description', DESCRIPTION_LIMIT)
  }
  if (changes.language !== undefined) {
    clean.language = changes.language?.trim() || null
    if (clean.language !== null && !/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(clean.language))
      addProblem('language', 'ERR_INVALID', message('invalid'))
  }
  if (changes.tag_name !== undefined) {
    clean.tag_name = changes.tag_name?.trim().replace(/^[#＃]/, '') || null
    if (clean.tag_name !== null && !isTagName(clean.tag_name)) addProblem('tag_name', 'ERR_INVALID', message('invalid'))
  }
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
  return clean
}
