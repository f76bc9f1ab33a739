import type { Context } from '../../../context.ts'
import type { PreviewCards, Statuses } from '../../../db/schema.ts'
import { sql, type Sql } from '../../../db/sql.ts'
import { newFileKey } from '../../../files/store.ts'
import { mayCacheMediaOf, withDownload, withStoredFiles } from '../../media/files.ts'
import { processImage, type ProcessedImage } from '../../media/image.ts'
import { IMAGE_SIZE_LIMIT } from '../../media/types.ts'
import { parentDomains } from '../../peers/domain-policy.ts'
import type { CardDetails } from './details.ts'

/**
 * The columns that decide which card a status has. `media`: the number of attachments. `excluded`: addresses that get no card.
 */
export type CardSource = Pick<Statuses, 'content' | 'card_id'> & {
  media: number
  edited_at: string | null
  excluded: string[]
}

/** Excludes the addresses of mentioned accounts and of the quoted status. Null for a reblog, or a status that is gone. */
export const findCardSource = (ctx: Context, statusId: string): Promise<CardSource | null> =>
  ctx.db.maybe<CardSource>(sql`
    select s.content, cardinality(s.media_ids) as media, s.card_id, s.edited_at::text,
      array(select unnest(array[a.url, a.uri]) from mentions m join accounts a on a.id = m.account_id where m.status_id = s.id)
        || array(select unnest(array[q.quoted_uri, o.uri, o.url]) from quotes q left join statuses o on o.id = q.quoted_status_id where q.id = s.quote_id) as excluded
    from statuses s where s.id = ${statusId} and s.reblog_of_id is null`)

/** `media`: the number of attachments. */
export const findEnrichable = (
  tx: Context,
  statusId: string,
): Promise<(Pick<Statuses, 'content' | 'language' | 'card_id'> & { media: number }) | null> =>
  tx.db.maybe(
    sql`select content, language, card_id, cardinality(media_ids) as media from statuses where id = ${statusId}`,
  )

/** Returns false after another edit, which has a job of its own. */
export const attachCard = async (
  tx: Context,
  statusId: string,
  cardId: string | null,
  editedAt: string | null,
): Promise<boolean> =>
  (await tx.db.run(
    sql`update statuses set card_id = ${cardId}::bigint where id = ${statusId} and edited_at::text is not distinct from ${editedAt}`,
  )) > 0

/** `later`: the server cannot be reached, or another job is fetching the page. */
export type FoundCard = { id: string } | 'none' | 'later'

type ClaimedCard = Pick<PreviewCards, 'id' | 'fetched_at' | 'image_key'>

/** Time until a page is fetched again: after a success, when it had nothing to show, and when its server could not be reached. */
export const CARD_TTL = { fetched: '14 days', empty: '1 day', unreachable: '50 seconds' }
/** How long fetching a page may take, with its image and its author. */
const CLAIM_TTL = '2 minutes'

/** Claims the card of a link before its page is fetched. Null when the card is up to date, or another job has claimed it. */
export const claimCard = (ctx: Context, link: string): Promise<ClaimedCard | null> =>
  ctx.db.maybe<ClaimedCard>(sql`
    insert into preview_cards (link, retry_at) values (${link}, now() + ${CLAIM_TTL}::interval)
    on conflict (link) do update set retry_at = excluded.retry_at where preview_cards.retry_at <= now()
    returning id, fetched_at, image_key`)

/** Call it when `claimCard` returns null. */
export async function findStoredCard(ctx: Context, link: string): Promise<FoundCard> {
  const row = await ctx.db.maybe<Pick<PreviewCards, 'id' | 'fetched_at'> & { soon: boolean }>(sql`
    select id, fetched_at, retry_at < now() + ${CLAIM_TTL}::interval as soon from preview_cards where link = ${link}`)
  if (row?.fetched_at) return { id: row.id }
  return row && !row.soon ? 'none' : 'later'
}

export async function retryCardIn(ctx: Context, { id }: ClaimedCard, interval: string): Promise<void> {
  await ctx.db.run(sql`update preview_cards set retry_at = now() + ${interval}::interval where id = ${id}`)
}

/** Also deletes the previous image. */
export async function storeCard(
  ctx: Context,
  { id, image_key: oldKey }: ClaimedCard,
  details: CardDetails,
  { image, creatorId }: { image: ProcessedImage | null; creatorId: string | null },
): Promise<void> {
  const key = image && newFileKey('cache/cards', id, 'original', image.small.extension)
  const size = details.type === 'link' && image ? image.small : details
  await withStoredFiles(ctx, image && key ? [[key, image.small]] : [], () =>
    ctx.db.run(sql`
      update preview_cards set url = ${details.url}, type = ${details.type}, title = ${details.title}, description = ${details.description},
        language = ${details.language}, author_name = ${details.author_name}, author_url = ${details.author_url}, creator_id = ${creatorId}::bigint,
        hosts = ${hostsOf(details.url)}::text[], provider_name = ${details.provider_name}, provider_url = ${details.provider_url},
        html = ${details.html}, width = ${size.width}, height = ${size.height}, embed_url = ${details.embed_url}, image_key = ${key},
        image_description = ${details.image_description}, blurhash = ${image?.blurhash ?? null}, published_at = ${details.published_at}::timestamptz,
        fetched_at = now(), retry_at = now() + ${CARD_TTL.fetched}::interval
      where id = ${id}`),
  )
  if (oldKey !== null) await ctx.deleteFiles([oldKey])
}

/** Null when the page has no image, its server's media are not stored, or the download fails. */
export async function fetchCardImage(ctx: Context, url: string | null): Promise<ProcessedImage | null> {
  if (url === null || !(await mayCacheMediaOf(ctx, url))) return null
  try {
    return await withDownload(ctx, url, IMAGE_SIZE_LIMIT, processImage)
  } catch (error) {
    ctx.log.debug({ err: error, url }, 'card.image-failed')
    return null
  }
}

/** An account that names one of them confirms the page. */
const hostsOf = (url: string): string[] => (url === '' ? [] : parentDomains(new URL(url).host))

const BATCH_SIZE = 500
const isUnused: Sql = sql`(c.created_at < now() - interval '30 days'
  and not exists (select from statuses s where s.card_id = c.id))`

/** Clean-up task. Deletes the images too, of cards older than 30 days that no status has. */
export async function deleteUnusedCards(ctx: Context): Promise<void> {
  for (;;) {
    const deleted = await ctx.transaction(async (tx) => {
      // Locked and checked again, so that no card is deleted while a status gets it.
      const locked = await tx.db.many<Pick<PreviewCards, 'id'>>(sql`
        select c.id from preview_cards c where ${isUnused} order by c.created_at limit ${BATCH_SIZE} for update skip locked`)
      const rows = await tx.db.many<Pick<PreviewCards, 'image_key'>>(sql`
        delete from preview_cards c where c.id = any(${locked.map(({ id }) => id)}::bigint[]) and ${isUnused} returning image_key`)
      await tx.deleteFiles(rows.flatMap(({ image_key }) => image_key ?? []))
      return rows.length
    })
    if (deleted < BATCH_SIZE) return
  }
}
