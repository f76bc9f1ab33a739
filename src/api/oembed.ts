// GET /api/oembed: embeds public statuses of this server in other sites (https://oembed.com).

import Type, { type Static } from 'typebox'
import { statusUrl, parseLocalUrl } from '../domain/server/addresses.ts'
import { getSettings } from '../domain/server/settings.ts'
import { getVisibleStatus } from '../domain/statuses/visibility.ts'
import { readStatusEntity } from '../entities/status-presenter.ts'
import type { Status } from '../entities/status.ts'
import type { Context } from '../context.ts'
import { route } from '../http/route.ts'
import { AppError, NotFound } from '../lib/errors.ts'
import { html } from '../lib/html.ts'
import { isId } from '../lib/ids.ts'
import { message } from '../messages/message.ts'
import { embedHeight } from './oembed-height.ts'

const DEFAULT_WIDTH = 400
/** Seconds for which other sites may cache the response. */
const CACHE_AGE = 86_400

/** https://docs.joinmastodon.org/entities/OEmbed/ */
export const OEmbed = Type.Object(
  {
    type: Type.Literal('rich'),
    version: Type.Literal('1.0'),
    title: Type.String(),
    author_name: Type.String(),
    author_url: Type.String(),
    provider_name: Type.String(),
    provider_url: Type.String(),
    cache_age: Type.Integer(),
    html: Type.String(),
    width: Type.Integer(),
    height: Type.Union([Type.Integer(), Type.Null()]),
  },
  { $id: 'OEmbed' },
)

export const getOEmbed = route({
  summary: 'The embed code of a public post of this server',
  auth: 'public',
  params: {
    url: Type.String(),
    format: Type.Optional(Type.String()),
    maxwidth: Type.Optional(Type.Integer({ lenient: true })),
    maxheight: Type.Optional(Type.Integer({ lenient: true })),
  },
  returns: OEmbed,
  async handle({ ctx, params, reply }) {
    // The status that the specification has for a format that a server does not offer.
    if (params.format?.toLowerCase() === 'xml') throw new AppError(501, message('content_type_unsupported'))
    const status = await findEmbeddable(ctx, params.url)
    const { site_title } = await getSettings(ctx)
    void reply.header('cache-control', 'public, max-age=300')
    return describe(ctx, status, site_title, {
      width: positive(params.maxwidth) ?? DEFAULT_WIDTH,
      maxHeight: positive(params.maxheight),
    })
  },
})

/** Throws NotFound for boosts, remote statuses, and statuses that are neither public nor unlisted. */
async function findEmbeddable(ctx: Context, address: string): Promise<Status> {
  const target = parseLocalUrl(ctx, address)
  if (!target?.statusId || !isId(target.statusId)) throw new NotFound()
  const row = await getVisibleStatus(ctx, null, target.statusId)
  const isMatch = row.local && row.reblog_of_id === null && row.username.toLowerCase() === target.username.toLowerCase()
  if (!isMatch) throw new NotFound()
  return readStatusEntity(ctx, null, row.id)
}

function describe(
  ctx: Context,
  status: Status,
  provider: string,
  size: { width: number; maxHeight: number | null },
): Static<typeof OEmbed> {
  const { account } = status
  const author = account.display_name.trim() || account.username
  const { width } = size
  const height = Math.min(embedHeight(status, width), size.maxHeight ?? Infinity)
  const title = `Post by @${account.username}@${ctx.config.localDomain}`
  const source = `${statusUrl(ctx, account.username, status.id)}/embed`
  return {
    type: 'rich',
    version: '1.0',
    title,
    author_name: author,
    author_url: account.url ?? account.uri,
    provider_name: provider,
    provider_url: `${ctx.config.baseUrl}/`,
    cache_age: CACHE_AGE,
    html: String(
      html`<iframe src="${source}" title="${title}" width="${width}" height="${height}" style="max-width: 100%; border: 0" loading="lazy" allowfullscreen></iframe>`,
    ),
    width,
    height,
  }
}

function positive(number: number | undefined): number | null {
  return number !== undefined && number > 0 ? number : null
}
