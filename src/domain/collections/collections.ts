import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { invalidFields, NotFound } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { newId } from '../../lib/ids.ts'
import { notify } from '../../actions/notifications/notify.ts'
import { getOrCreateTags } from '../tags/tags.ts'
import { addItems, forget } from './items.ts'
import { checkCollection, type CollectionChanges } from './rules.ts'

/**
 * Makes a collection with these accounts in it, and gives its id. Throws Invalid with `details` for what is wrong with it, and
 * when it would be more than the owner's role allows; whatever `addItems` throws.
 */
export async function createCollection(
  ctx: Context,
  ownerId: string,
  wanted: CollectionChanges,
  accountIds: readonly string[] = [],
): Promise<string> {
  const { name, description, language, tag_name, sensitive, discoverable } = checkCollection({ name: '', ...wanted })
  return ctx.transaction(async (tx) => {
    const tagId = await tagOf(tx, tag_name)
    // One at a time per person, or two requests at once could both find the last place free.
    await tx.db.run(sql`select from accounts where id = ${ownerId} for no key update`)
    const id = newId()
    const made = await tx.db.run(sql`
      insert into collections (id, account_id, name, description, language, tag_id, sensitive, discoverable)
      select ${id}::bigint, ${ownerId}::bigint, ${name}, ${description ?? ''}, ${language ?? null}, ${tagId}::bigint,
        ${sensitive ?? false}::boolean, ${discoverable ?? true}::boolean
      where (select count(*) from collections where account_id = ${ownerId})
        < (select r.collection_limit from users u join roles r on r.id = u.role_id where u.account_id = ${ownerId})`)
    if (made === 0)
      throw invalidFields({
        base: [{ error: 'ERR_TOO_LONG', description: message('collection_limit') }],
      })
    await addItems(tx, ownerId, id, accountIds)
    return id
  })
}

/** Changes a collection of `ownerId`; whoever is in it is told what it is called by now. Throws Invalid with `details`, NotFound. */
export async function updateCollection(
  ctx: Context,
  ownerId: string,
  id: string,
  changes: CollectionChanges,
): Promise<void> {
  const { name, description, language, tag_name, sensitive, discoverable } = checkCollection(changes)
  await ctx.transaction(async (tx) => {
    const tagId = await tagOf(tx, tag_name)
    const before = await tx.db.maybe<{ changes: boolean }>(sql`
      select (name, description, tag_id) is distinct from
        (coalesce(${name ?? null}, name), coalesce(${description ?? null}, description),
          case when ${tag_name !== undefined}::boolean then ${tagId}::bigint else tag_id end) as changes
      from collections where id = ${id} and account_id = ${ownerId} for no key update`)
    if (!before) throw new NotFound()
    await tx.db.run(sql`
      update collections set updated_at = now(), name = coalesce(${name ?? null}, name), description = coalesce(${description ?? null}, description),
        language = case when ${language !== undefined}::boolean then ${language ?? null} else language end,
        tag_id = case when ${tag_name !== undefined}::boolean then ${tagId}::bigint else tag_id end,
        sensitive = coalesce(${sensitive ?? null}::boolean, sensitive), discoverable = coalesce(${discoverable ?? null}::boolean, discoverable)
      where id = ${id}`)
    if (!before.changes) return
    const members = await tx.db.many<{ account_id: string }>(sql`
      select account_id from collection_items where collection_id = ${id} and state = 'accepted'`)
    const to = members.map(({ account_id }) => account_id)
    await notify(tx, { type: 'collection_update', fromAccountId: ownerId, subjectId: id, to })
  })
}

/** Deletes a collection of `ownerId`. Throws NotFound. */
export async function deleteCollection(ctx: Context, ownerId: string, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const gone = await tx.db.run(sql`delete from collections where id = ${id} and account_id = ${ownerId}`)
    if (gone === 0) throw new NotFound()
    await forget(tx, ownerId, id, null)
  })
}

async function tagOf(tx: Context, name: string | null | undefined): Promise<string | null> {
  const [id] = name ? await getOrCreateTags(tx, [name]) : []
  return id ?? null
}
