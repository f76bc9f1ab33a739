import { createHash } from 'node:crypto'
import { perServer, type Context } from '../../../context.ts'
import { sql } from '../../../db/sql.ts'
import { sharedWork } from '../../../lib/concurrency.ts'
import { Forbidden, NotFound } from '../../../lib/errors.ts'
import { escapeHtml } from '../../../lib/html.ts'
import { sanitizeStatusHtml } from '../../../lib/sanitize.ts'
import type { StatusRow } from '../find.ts'
import { isPublicOrUnlisted } from '../visibility.ts'
import { type TranslationBackend, backendOf, translationLanguages } from './backend.ts'

/** In the API's names. */
export type TranslatedStatus = {
  content: string
  spoiler_text: string
  language: string
  poll?: { id: string; options: { title: string }[] }
  media_attachments: { id: string; description: string }[]
  detected_source_language: string
  provider: string
}

type SourceTexts = {
  content: string
  spoiler: string
  language: string | null
  poll: { id: string; options: string[] } | null
  media: { id: string; description: string }[]
}

/** Concurrent requests for the same translation share one request to the service. */
const pending = perServer(() => new Map<string, Promise<TranslatedStatus>>())

/**
 * `language`: such as `de` or `pt-BR`. `admit` is called before the service is asked. Throws NotFound when no service is
 * configured, Forbidden for statuses that are neither public nor unlisted and for languages that the service lacks, Unavailable
 * when the service fails.
 */
export async function translateStatus(
  ctx: Context,
  status: StatusRow,
  language: string,
  admit: () => Promise<void>,
): Promise<TranslatedStatus> {
  const backend = backendOf(ctx)
  if (!backend) throw new NotFound()
  if (!isPublicOrUnlisted(status.visibility)) throw new Forbidden()
  const source = await readSource(ctx, status)
  const pairs = await translationLanguages(ctx)
  const from =
    [source.language, baseOf(source.language)].find((code) => code !== null && Object.hasOwn(pairs, code)) ?? null
  if (source.language !== null && from === null) throw new Forbidden()
  const target = chooseTarget(pairs[from ?? 'und'] ?? [], language)
  if (target === null || target === source.language) throw new Forbidden()
  const digest = createHash('sha256')
    .update(JSON.stringify([source, backend.provider]))
    .digest()
  const known = await ctx.db.maybe<{ translation: TranslatedStatus }>(sql`
    select translation from status_translations where status_id = ${status.id} and language = ${target} and digest = ${digest}`)
  if (known) return known.translation
  await admit()
  const key = `${status.id} ${target} ${digest.toString('base64')}`
  return sharedWork(pending(ctx), key, () =>
    requestTranslation(ctx, backend, source, { id: status.id, from, target, digest }),
  )
}

async function readSource(ctx: Context, status: StatusRow): Promise<SourceTexts> {
  return ctx.db.one<SourceTexts>(sql`
    select s.content, s.spoiler_text as spoiler, s.language,
      (select json_build_object('id', p.id::text, 'options', p.options) from polls p where p.id = s.poll_id) as poll,
      coalesce((select json_agg(json_build_object('id', m.id::text, 'description', m.description) order by place.n)
        from unnest(s.media_ids) with ordinality place (id, n) join media_attachments m on m.id = place.id
        where m.description is not null), '[]') as media
    from statuses s where s.id = ${status.id}`)
}

/** `id`: of the status. `from` and `target`: codes of languages. `digest`: of the source and the provider. */
type TranslationTarget = { id: string; from: string | null; target: string; digest: Buffer }

async function requestTranslation(
  ctx: Context,
  backend: TranslationBackend,
  source: SourceTexts,
  { id, from, target, digest }: TranslationTarget,
): Promise<TranslatedStatus> {
  const plain = [source.spoiler, ...(source.poll?.options ?? []), ...source.media.map(({ description }) => description)]
  const texts = [protectEmojis(source.content), ...plain.map((text) => protectEmojis(escapeHtml(text)))]
  // Empty texts are not sent; without any text there is no request.
  const sent = texts.flatMap((text, i) => (text.trim() === '' ? [] : [i]))
  const answer =
    sent.length === 0
      ? { texts: [], source: from ?? 'und' }
      : await backend.translate(
          sent.map((i) => texts[i] as string),
          from,
          target,
        )
  const translated = new Map(sent.map((i, n) => [i, answer.texts[n] as string]))
  const textAt = (i: number): string => plainText(translated.get(i) ?? '')
  const options = source.poll?.options.length ?? 0
  const translation: TranslatedStatus = {
    content: unprotectEmojis(sanitizeStatusHtml(translated.get(0) ?? '')),
    spoiler_text: textAt(1),
    language: target,
    ...(source.poll
      ? { poll: { id: source.poll.id, options: source.poll.options.map((_, i) => ({ title: textAt(2 + i) })) } }
      : {}),
    media_attachments: source.media.map((attachment, i) => ({
      id: attachment.id,
      description: textAt(2 + options + i),
    })),
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

/** Ignores case; for `de-AT` also accepts `de`. */
function chooseTarget(targets: readonly string[], language: string): string | null {
  const find = (code: string | null): string | undefined => targets.find((target) => target.toLowerCase() === code)
  return find(language.toLowerCase()) ?? find(baseOf(language)) ?? null
}

const EMOJI = /(?<![\p{L}\p{N}:])(:[A-Za-z0-9_]{2,}:)(?![\p{L}\p{N}:])/gu

const TAGS = /(<[^<>]*>)/

/** Protects shortcodes of custom emojis from translation, except within tags. */
const protectEmojis = (html: string): string =>
  html
    .split(TAGS)
    .map((part) => (part.startsWith('<') ? part : part.replace(EMOJI, '<span translate="no">$1</span>')))
    .join('')

const unprotectEmojis = (html: string): string =>
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

function plainText(html: string): string {
  return unprotectEmojis(html).replace(
    /&(lt|gt|quot|#39|#x27|apos|nbsp|amp);/gi,
    (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole,
  )
}
