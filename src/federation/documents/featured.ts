import { noteContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { statusUri } from '../../domain/server/addresses.ts'
import { accessCondition, type MaybeViewer, visibleTo } from '../../domain/statuses/visibility.ts'
import { listFeaturedTags } from '../../entities/tag.ts'
import * as ids from '../ids.ts'
import { loadNotes, renderNote } from '../outgoing/render/note.ts'
import { hashtagContext, renderHashtag } from '../outgoing/render/tags.ts'
import { blocksSigner, localActor } from './actor.ts'

/**
 * Pinned posts; those for followers by their address alone, which the servers of followers then fetch. A signer that the account
 * blocks gets none.
 */
export async function featuredDocument(ctx: Context, signer: MaybeViewer, username: string): Promise<unknown> {
  const account = await localActor(ctx, username)
  const pinned = sql`
    select s.id, ${visibleTo(null)} as open
    from status_pins p join statuses s on s.id = p.status_id join accounts a on a.id = s.account_id
    where p.account_id = ${account.id} and ${accessCondition('private', null)} order by p.id desc`
  const rows = (await blocksSigner(ctx, signer, account.id))
    ? []
    : await ctx.db.many<{ id: string; open: boolean }>(pinned)
  const notes = await loadNotes(
    ctx,
    rows.flatMap(({ id, open }) => (open ? [id] : [])),
  )
  const items = rows.map(({ id }) => {
    const note = notes.get(id)
    return note ? renderNote(ctx, note) : statusUri(ctx, account.username, id)
  })
  return {
    '@context': noteContext,
    id: ids.featuredUri(ctx, account.username),
    type: 'OrderedCollection',
    totalItems: items.length,
    orderedItems: items,
  }
}

export async function featuredTagsDocument(ctx: Context, signer: MaybeViewer, username: string): Promise<unknown> {
  const account = await localActor(ctx, username)
  const tags = (await blocksSigner(ctx, signer, account.id)) ? [] : await listFeaturedTags(ctx, account.id)
  return {
    '@context': hashtagContext,
    id: ids.featuredTagsUri(ctx, account.username),
    type: 'Collection',
    totalItems: tags.length,
    items: tags.map(({ name }) => renderHashtag(ctx, account.username, name)),
  }
}
