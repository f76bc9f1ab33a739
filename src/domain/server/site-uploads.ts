import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { SiteUploads } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { getSettings, memoized } from './settings.ts'

export const SITE_UPLOADS = ['thumbnail', 'favicon', 'app_icon'] as const satisfies readonly SiteUploads['name'][]
export type SiteUploadName = (typeof SITE_UPLOADS)[number]

/** `variants`: file keys by what they are called: `1x`, or the length of a side. */
export type SiteUpload = Pick<SiteUploads, 'description' | 'blurhash'> & { variants: Record<string, string> }

type Uploads = Partial<Record<SiteUploadName, SiteUpload>>

/** The images that administrators have uploaded. Cached. */
export const getSiteUploads: (ctx: Context) => Promise<Uploads> = memoized(30, async (ctx) => {
  const rows = await ctx.db.many<SiteUpload & { name: SiteUploadName }>(
    sql`select name, variants, description, blurhash from site_uploads`,
  )
  return Object.fromEntries(rows.map(({ name, ...upload }) => [name, upload]))
})

/** Returns the keys of the files that it replaces. Null removes it. */
export async function storeSiteUpload(tx: Context, name: SiteUploadName, upload: SiteUpload | null): Promise<string[]> {
  const before = await tx.db.maybe<{ variants: Record<string, string> }>(
    sql`delete from site_uploads where name = ${name} returning variants`,
  )
  if (upload)
    await tx.db.run(sql`
      insert into site_uploads (name, variants, description, blurhash)
      values (${name}, ${JSON.stringify(upload.variants)}::jsonb, ${upload.description}, ${upload.blurhash})
      on conflict (name) do update set variants = excluded.variants, description = excluded.description,
        blurhash = excluded.blurhash, updated_at = now()`)
  return Object.values(before?.variants ?? {})
}

export const updateThumbnailDescription = (tx: Context, description: string): Promise<number> =>
  tx.db.run(sql`update site_uploads set description = ${description} where name = 'thumbnail'`)

/** What pages have in their head. `stylesheet`: the path of the administrators' own, if there is one. */
export type SiteLook = { icon: string | null; touchIcon: string | null; stylesheet: string | null }

export const CUSTOM_CSS_PATH = '/custom.css'

export const readSiteLook: (ctx: Context) => Promise<SiteLook> = memoized(30, async (ctx) => {
  const [{ favicon, app_icon: appIcon }, { custom_css: css }] = await Promise.all([
    getSiteUploads(ctx),
    getSettings(ctx),
  ])
  const url = (upload: SiteUpload | undefined, variant: string): string | null =>
    upload?.variants[variant] ? ctx.files.url(upload.variants[variant]) : null
  const version = createHash('sha256').update(css).digest('hex').slice(0, 16)
  return {
    icon: url(favicon, '48'),
    touchIcon: url(appIcon, '192'),
    stylesheet: css === '' ? null : `${CUSTOM_CSS_PATH}?v=${version}`,
  }
})
