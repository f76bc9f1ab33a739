import { isOpenVisibility } from '../visibility.ts'
import { createHash } from 'node:crypto'
import { perServer, type Context } from '../../../context.ts'
import { sql } from '../../../db/sql.ts'
import { Forbidden, NotFound } from '../../../lib/errors.ts'
import { escapeHtml } from '../../../lib/html.ts'
import { sanitizeStatusHtml } from '../../../lib/sanitize.ts'
import { type TranslationBackend, backendOf, translationLanguages } from './backend.ts'
import type { StatusRow } from '../find.ts'

/** A status in another language. Texts that it does not have are left out. */
export type Translation = {
  content: string
  spoiler_text: string
  language: string
  poll?: { id: string; options: { title: string }[] }
  media_attachments: { id: string; description: string }[]
  detected_source_language: string
  provider: string
}

type Source = {
  content: string
  spoiler: string
  language: string | null
  poll: { id: string; options: string[] } | null
  media: { id: string; description: string }[]
}

/** Whoever wants the same at the same time waits for it. */
const underWay = perServer(() => new Map<string, Promise<Translation>>())

/**
 * A status in the language `wanted` (`de`, `pt-BR`). Throws NotFound where nothing is translated here, Forbidden for posts that are not
 * public and for languages that are not to be had, Unavailable when the service fails.
 */
export async function translateStatus(ctx: Context, status: StatusRow, wanted: string): Promise<Translation> {
  const backend = backendOf(ctx)
  if (!backend) throw new NotFound()
  if (!isOpenVisibility(status.visibility)) throw new Forbidden()
  const source = await readSource(ctx, status)
  const pairs = await translationLanguages(ctx)
  const from =
    [source.language, baseOf(source.language)].find((code) => code !== null && Object.hasOwn(pairs, code)) ?? null
  if (source.language !== null && from === null) throw new Forbidden()
  const target = chooseTarget(pairs[from ?? 'und'] ?? [], wanted)
  if (target === null || target === source.language) throw new Forbidden()
  const digest = createHash('sha256')
    .update(JSON.stringify([source, backend.provider]))
    .digest()
  const known = await ctx.db.maybe<{ translation: Translation }>(sql`
    select translation from status_translations where status_id = ${status.id} and language = ${target} and digest = ${digest}`)
  if (known) return known.translation
  const key = `${status.id} ${target} ${digest.toString('base64')}`
  const all = underWay(ctx)
  let asking = all.get(key)
  if (!asking) {
    asking = ask(ctx, backend, status.id, source, { from, target, digest }).finally(() => all.delete(key))
    all.set(key, asking)
  }
  return asking
}

async function readSource(ctx: Context, status: StatusRow): Promise<Source> {
  return ctx.db.one<Source>(sql`
    select s.content, s.spoiler_text as spoiler, s.language,
      (select json_build_object('id', p.id::text, 'options', p.options) from polls p where p.id = s.poll_id) as poll,
      coalesce((select json_agg(json_build_object('id', m.id::text, 'description', m.description) order by place.n)
        from unnest(s.media_ids) with ordinality place (id, n) join media_attachments m on m.id = place.id
        where m.description is not null), '[]') as media
    from statuses s where s.id = ${status.id}`)
}

type Choice = { from: string | null; target: string; digest: Buffer }

async function ask(
  ctx: Context,
  backend: TranslationBackend,
  id: string,
  source: Source,
  { from, target, digest }: Choice,
): Promise<Translation> {
  const plain = [source.spoiler, ...(source.poll?.options ?? []), ...source.media.map(({ description }) => description)]
  const texts = [keepEmojis(source.content), ...plain.map((text) => keepEmojis(escapeHtml(text)))]
  // Nothing is asked about what is empty, and nothing at all where all is.
  const asked = texts.flatMap((text, i) => (text.trim() === '' ? [] : [i]))
  const answer =
    asked.length === 0
      ? { texts: [], source: from ?? 'und' }
      : await backend.translate(
          asked.map((i) => texts[i] as string),
          from,
          target,
        )
  const translated = new Map(asked.map((i, n) => [i, answer.texts[n] as string]))
  const take = (i: number): string => plainText(translated.get(i) ?? '')
  const options = source.poll?.options.length ?? 0
  const translation: Translation = {
    content: freeEmojis(sanitizeStatusHtml(translated.get(0) ?? '')),
    spoiler_text: take(1),
    language: target,
    ...(source.poll
      ? { poll: { id: source.poll.id, options: source.poll.options.map((_, i) => ({ title: take(2 + i) })) } }
      : {}),
    media_attachments: source.media.map((medium, i) => ({ id: medium.id, description: take(2 + options + i) })),
    detected_source_language: answer.source,
    provider: backend.provider,
  }
  await ctx.db.run(sql`
    insert into status_translations (status_id, language, digest, translation)
    select id, ${target}, ${digest}, ${JSON.stringify(translation)}::jsonb from statuses where id = ${id}
    on conflict (status_id, language) do update set digest = excluded.digest, translation = excluded.translation, created_at = now()`)
  return translation
}

const baseOf = (code: string | null): string | null => code?.split('-')[0]?.toLowerCase() ?? null

/** The language as asked for, in any case; or, of `de-AT`, plain `de`. */
function chooseTarget(targets: readonly string[], wanted: string): string | null {
  const find = (code: string | null): string | undefined => targets.find((target) => target.toLowerCase() === code)
  return find(wanted.toLowerCase()) ?? find(baseOf(wanted)) ?? null
}

const EMOJI = /(?<![\p{L}\p{N}:])(:[A-Za-z0-9_]{2,}:)(?![\p{L}\p{N}:])/gu

const TAGS = /(<[^<>]*>)/

/** Names of custom emojis are no words. Those within tags (addresses) are left alone. */
const keepEmojis = (html: string): string =>
  html
    .split(TAGS)
    .map((part) => (part.startsWith('<') ? part : part.replace(EMOJI, '<span translate="no">$1</span>')))
    .join('')

const freeEmojis = (html: string): string =>
  html.replace(/<span translate="no">\s*(:[A-Za-z0-9_]{2,}:)\s*<\/span>/g, '$1')

const ENTITIES: Record<string, string> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  apos: "'",
  nbsp: ' ',
  amp: '&',
}

/** Text that was sent as HTML is text again. */
function plainText(html: string): string {
  return freeEmojis(html).replace(
    /&(lt|gt|quot|#39|#x27|apos|nbsp|amp);/gi,
    (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole,
  )
}
