import type { FetchAnswer } from '../../../net/fetch-rules.ts'
import { FetchError } from '../../../net/fetch-error.ts'
import type { Context } from '../../../context.ts'
import { isOurDomain } from '../../server/addresses.ts'
import { detailsOf, detailsOfOembed, type CardDetails } from './details.ts'
import { decodePage, readPage } from './page.ts'

const LARGEST_PAGE = 4 * 1024 * 1024
const LARGEST_OEMBED = 256 * 1024

/**
 * Reads the page behind a link. Null when there is nothing to show of it. Throws FetchError when it cannot be read, of which
 * some may be tried again (see isTemporary).
 */
export async function fetchDetails(ctx: Context, link: string): Promise<CardDetails | null> {
  const answer = await request(ctx, link)
  if (answer.status < 200 || answer.status > 299)
    throw new FetchError('status', `${new URL(answer.url).host} answered ${answer.status}`, { status: answer.status })
  const page = readPage(decodePage(answer.body, answer.headers['content-type']))
  const plain = detailsOf(page, answer.url)
  const endpoint = page.oembed === null ? null : URL.parse(page.oembed, answer.url)
  const details = (endpoint && (await readOembed(ctx, endpoint.href, plain))) ?? plain
  const shown = withoutOurs(ctx, details)
  return shown.title === '' && shown.html === '' && shown.type !== 'photo' ? null : shown
}

/** Plain http is only read where it may be; most servers have the same page to tell over https. */
async function request(ctx: Context, link: string): Promise<FetchAnswer & { body: Buffer }> {
  const options = { expect: 'html', maxBytes: LARGEST_PAGE, extra: true } as const
  const secure = link.replace(/^http:/i, 'https:')
  try {
    return await ctx.fetch.request(link, options)
  } catch (error) {
    if (!(error instanceof FetchError) || error.reason !== 'scheme' || secure === link) throw error
    return ctx.fetch.request(secure, options)
  }
}

/** What the page's oEmbed provider says. Null where it says nothing of use: the page itself is enough. */
async function readOembed(ctx: Context, endpoint: string, details: CardDetails): Promise<CardDetails | null> {
  try {
    const { json } = await ctx.fetch.json(endpoint, { expect: 'json', maxBytes: LARGEST_OEMBED, extra: true })
    return detailsOfOembed(json, details, endpoint)
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return null
  }
}

/** Our own pages in a frame could do what the reader may. */
function withoutOurs(ctx: Context, details: CardDetails): CardDetails {
  const src = /^<iframe src="([^"]+)"/.exec(details.html)?.[1]
  const isOurs = src !== undefined && isOurDomain(ctx, new URL(src).host)
  return isOurs ? { ...details, type: 'link', html: '', width: 0, height: 0 } : details
}
