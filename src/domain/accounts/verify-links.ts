import type * as htmlparser2 from 'htmlparser2'
import { FetchError } from '../../net/fetch-error.ts'
import { fetchableUrl } from '../../net/gate.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { endOfTags, readAttributes } from '../../lib/html.ts'
import { lazyRequire } from '../../lib/lazy-require.ts'
import { htmlToText } from '../../lib/sanitize.ts'
import { accountUri, accountUrl } from '../server/addresses.ts'
import type { AccountRow, ProfileField } from './find.ts'

type LinkedAccount = Pick<AccountRow, 'username' | 'domain' | 'uri' | 'url' | 'fields'>

const parsers = lazyRequire<typeof htmlparser2>('htmlparser2')

/** Bytes. */
const MAX_PAGE = 1024 * 1024
const MAX_TAGS = 10_000

/**
 * Job `accounts.verify-links`: fetches the page behind each profile field that is an unverified link, and marks the field as
 * verified if the page links back with rel="me". A page that cannot be read counts as a page without the link.
 */
export async function verifyLinks(ctx: Context, { accountId }: { accountId: string }): Promise<void> {
  const account = await ctx.db.maybe<LinkedAccount>(
    sql`select username, domain, uri, url, fields from accounts where id = ${accountId} and suspended_at is null`,
  )
  if (!account) return
  const own =
    account.domain === null
      ? [accountUrl(ctx, account.username), accountUri(ctx, account.username)]
      : [account.url, account.uri].filter((url) => url !== null)
  const pending = account.fields
    .filter((field) => field.verified_at === null)
    .map((field) => ({ value: field.value, link: linkOf(ctx, account, field) }))
  const checks = await Promise.all(
    pending.map(async ({ value, link }) => (link !== null && (await linksBack(ctx, link, own)) ? [value] : [])),
  )
  const verified = new Set(checks.flat())
  if (verified.size === 0) return
  await ctx.transaction(async (tx) => {
    const now = await tx.db.maybe<{ fields: ProfileField[] }>(
      sql`select fields from accounts where id = ${accountId} for update`,
    )
    if (!now) return
    const seenAt = new Date().toISOString()
    const fields = now.fields.map((field) =>
      field.verified_at === null && verified.has(field.value) ? { ...field, verified_at: seenAt } : field,
    )
    await tx.db.run(sql`update accounts set fields = ${JSON.stringify(fields)}::jsonb where id = ${accountId}`)
  })
}

/** The address that is a field's whole value. Values of local accounts are plain text, those of remote accounts are HTML. */
function linkOf(ctx: Context, account: LinkedAccount, field: ProfileField): string | null {
  const text = account.domain === null ? field.value : onlyLinkIn(field.html)
  const url = text === undefined ? null : fetchableUrl(ctx.fetch, text)
  return url && leadsWhereItReads(text as string, url) ? url.href : null
}

/** Not with `user@`, a path with `..`, or letters that look like others: the verified link would seem to be another one. */
function leadsWhereItReads(text: string, { origin, pathname }: URL): boolean {
  const [read = ''] = text.toLowerCase().split(/[?#]/, 1)
  return !/\s/.test(text) && [read, `${read}/`].includes((origin + pathname).toLowerCase())
}

/** The address of HTML that is one link with its address as text, in the form that the sanitiser writes. */
function onlyLinkIn(html: string): string | undefined {
  const link = html.replace('<p>', '').replace('</p>', '').trim()
  const isLink = link.startsWith('<a ') && link.indexOf('</a>') === link.length - '</a>'.length
  const address = isLink ? readAttributes(link.slice('<a '.length, link.indexOf('>'))).get('href') : undefined
  // Some software shows the address without its scheme.
  return [address, address?.replace(/^https?:\/\//, '')].includes(htmlToText(link)) ? address : undefined
}

async function linksBack(ctx: Context, link: string, own: string[]): Promise<boolean> {
  try {
    const { status, body, headers, url } = await ctx.fetch.request(link, {
      accept: 'text/html',
      maxBytes: MAX_PAGE,
      extra: true,
    })
    if (status >= 300 || !/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? ''))
      return false
    const isOwn = (href: string): boolean =>
      own.some((address) => address.toLowerCase() === href.replace(/\/$/, '').toLowerCase())
    const links = findMeLinks(body.toString('utf8'))
    return links.some(isOwn) || isOwn(await redirectOf(ctx, links[0] ?? '', url))
  } catch (error) {
    if (error instanceof FetchError) return false
    throw error
  }
}

/**
 * Where an address on a page redirects, as people also link to their profile by an address of their own. Empty for no redirect.
 */
async function redirectOf(ctx: Context, href: string, page: string): Promise<string> {
  const url = href === '' ? null : fetchableUrl(ctx.fetch, URL.parse(href, page)?.href ?? '')
  if (url === null) return ''
  const { headers } = await ctx.fetch.request(url, { method: 'HEAD', redirects: 'manual', extra: true })
  return headers['location'] ?? ''
}

/** As browsers read the page: not what stands in comments, in values of attributes, or in elements that show nothing. */
function findMeLinks(html: string): string[] {
  const links: string[] = []
  let templates = 0
  const parser = new (parsers().Parser)({
    onopentag(name, { rel = '', href }) {
      if (name === 'template') templates++
      const isLink = (name === 'a' || name === 'link') && templates === 0
      if (isLink && href !== undefined && rel.toLowerCase().split(/\s+/).includes('me')) links.push(href.trim())
    },
    onclosetag(name) {
      if (name === 'template') templates--
    },
  })
  parser.write(html.slice(0, endOfTags(html, MAX_TAGS)))
  return links
}
