import { resolveHandle } from '../../../actions/remote/resolve-account.ts'
import type { Context } from '../../../context.ts'
import { sql } from '../../../db/sql.ts'
import { isTemporary, withDownload, mayCacheMediaOf, withStoredFiles } from '../../media/files.ts'
import { type ProcessedImage, processImage } from '../../media/image.ts'
import { IMAGE_SIZE_LIMIT } from '../../media/types.ts'
import { type CardDetails, fetchDetails } from './details.ts'
import { newFileKey } from '../../../files/store.ts'
import { FetchError } from '../../../net/fetch-error.ts'

/** `later`: its server could not be reached, or somebody else is reading the page at this moment. */
type Found = { id: string } | 'none' | 'later'

type Row = { id: string; fetched_at: Date | null; image_key: string | null }

/** Pages that were read are read again after so long, those with nothing to show too; servers out of reach rest for a while. */
const AGAIN = '14 days'
const AGAIN_WITHOUT = '1 day'
const REST = '50 seconds'
/** How long reading a page may take, with its image and its author. */
const AT_WORK = '2 minutes'

/** The preview of a link: as it is known, or read now. One reads for all who want the same. */
export async function findCard(ctx: Context, link: string): Promise<Found> {
  const claimed = await ctx.db.maybe<Row>(sql`
    insert into preview_cards (link, retry_at) values (${link}, now() + ${AT_WORK}::interval)
    on conflict (link) do update set retry_at = excluded.retry_at where preview_cards.retry_at <= now()
    returning id, fetched_at, image_key`)
  if (!claimed) return known(ctx, link)
  try {
    const details = await fetchDetails(ctx, link)
    if (details) await store(ctx, claimed, details)
    else await putOff(ctx, claimed, AGAIN_WITHOUT)
    return details || claimed.fetched_at ? { id: claimed.id } : 'none'
  } catch (error) {
    const temporary = !(error instanceof FetchError) || isTemporary(error)
    await putOff(ctx, claimed, temporary ? REST : AGAIN_WITHOUT)
    if (!(error instanceof FetchError)) throw error
    ctx.log.debug({ err: error, link }, 'there is no preview of a link')
    return claimed.fetched_at ? { id: claimed.id } : temporary ? 'later' : 'none'
  }
}

async function known(ctx: Context, link: string): Promise<Found> {
  const row = await ctx.db.maybe<Row & { soon: boolean }>(sql`
    select id, fetched_at, image_key, retry_at < now() + ${AT_WORK}::interval as soon from preview_cards where link = ${link}`)
  if (row?.fetched_at) return { id: row.id }
  return row && !row.soon ? 'none' : 'later'
}

async function putOff(ctx: Context, { id }: Row, time: string): Promise<void> {
  await ctx.db.run(sql`update preview_cards set retry_at = now() + ${time}::interval where id = ${id}`)
}

async function store(ctx: Context, { id, image_key: oldKey }: Row, details: CardDetails): Promise<void> {
  const [image, creatorId] = await Promise.all([fetchImage(ctx, details.image_url), findCreator(ctx, details.creator)])
  const key = image && newFileKey('cards', id, 'original', image.small.extension)
  const size = details.type === 'link' && image ? image.small : details
  await withStoredFiles(ctx, image && key ? [[key, image.small]] : [], () =>
    ctx.db.run(sql`
      update preview_cards set url = ${details.url}, type = ${details.type}, title = ${details.title}, description = ${details.description},
        language = ${details.language}, author_name = ${details.author_name}, author_url = ${details.author_url}, creator_id = ${creatorId}::bigint,
        hosts = ${hostsOf(details.url)}::text[], provider_name = ${details.provider_name}, provider_url = ${details.provider_url},
        html = ${details.html}, width = ${size.width}, height = ${size.height}, embed_url = ${details.embed_url}, image_key = ${key},
        image_description = ${details.image_description}, blurhash = ${image?.blurhash ?? null}, published_at = ${details.published_at}::timestamptz,
        fetched_at = now(), retry_at = now() + ${AGAIN}::interval
      where id = ${id}`),
  )
  if (oldKey !== null) await ctx.files.delete([oldKey])
}

/** A copy of the picture, the size of a preview. A page without one is still a page. */
async function fetchImage(ctx: Context, url: string | null): Promise<ProcessedImage | null> {
  if (url === null || !(await mayCacheMediaOf(ctx, url))) return null
  try {
    return await withDownload(ctx, url, IMAGE_SIZE_LIMIT, processImage)
  } catch (error) {
    ctx.log.debug({ err: error, url }, 'the picture of a preview is not kept')
    return null
  }
}

/** Whom the page names as its author: `fediverse:creator`. */
async function findCreator(ctx: Context, handle: string | null): Promise<string | null> {
  if (handle === null) return null
  try {
    const account = await resolveHandle(ctx, handle)
    return account && account.suspended_at === null ? account.id : null
  } catch (error) {
    ctx.log.debug({ err: error, handle }, 'the author of a page was not found')
    return null
  }
}

/** a.b.example: itself, b.example, example; with its port and without. Who names one of them vouches for the page. */
function hostsOf(url: string): string[] {
  if (url === '') return []
  const { host, hostname } = new URL(url)
  const labels = hostname.split('.')
  return [...new Set([host, ...labels.map((_, i) => labels.slice(i).join('.'))])]
}

const AT_ONCE = 500

/** Removes previews that no post has had for a month or more, with their pictures. */
export async function removeUnusedCards(ctx: Context): Promise<void> {
  for (;;) {
    const gone = await ctx.db.many<{ image_key: string | null }>(sql`
      delete from preview_cards where id in (
        select c.id from preview_cards c
        where c.created_at < now() - interval '30 days' and not exists (select from statuses s where s.card_id = c.id)
        order by c.created_at limit ${AT_ONCE})
      returning image_key`)
    await ctx.files.delete(gone.flatMap(({ image_key }) => image_key ?? []))
    if (gone.length < AT_ONCE) return
  }
}
