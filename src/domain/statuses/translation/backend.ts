import type { DeepL, LibreTranslate } from '../../../config.ts'
import { type Context, perServer } from '../../../context.ts'
import { AppError, Unavailable } from '../../../lib/errors.ts'
import { userAgent } from '../../../lib/version.ts'
import { message } from '../../../messages/message.ts'
import { type FetchGate, type FetchOptions, createFetch } from '../../../net/gate.ts'
import { memoized } from '../../server/settings.ts'

export const backendOf = perServer((ctx): TranslationBackend | null => {
  const { translation } = ctx.config
  if (!translation) return null
  const request = requestWith(ctx, gateFor(ctx))
  return translation.kind === 'deepl' ? deepl(translation, request) : libreTranslate(translation, request)
})

export const translationLanguages: (ctx: Context) => Promise<LanguagePairs> = memoized(
  86_400,
  async (ctx) => (await backendOf(ctx)?.languages()) ?? {},
)

/** Private addresses are allowed: the administrator configures the service, which often runs on the same machine. */
function gateFor(ctx: Context): FetchGate {
  return createFetch({
    userAgent: userAgent(ctx.config.baseUrl),
    allowedPrivateAddresses: ['0.0.0.0/0', '::/0'],
    allowHttp: true,
  })
}

function requestWith(ctx: Context, gate: FetchGate): ServiceRequest {
  return async (url, options) => {
    try {
      const { status, body } = await gate.request(url, { timeoutMs: 30_000, accept: 'application/json', ...options })
      // 403 is LibreTranslate's status for an exhausted key, 456 is DeepL's.
      if (status === 403 || status === 456) throw new Unavailable(message('translation_quota'))
      if (status === 429) throw new Unavailable(message('translation_busy'))
      if (status < 200 || status > 299) throw new Error(`the translation service answered ${status}`)
      return JSON.parse(body.toString()) as unknown
    } catch (error) {
      ctx.log.warn({ err: error }, 'translation.failed')
      throw error instanceof AppError ? error : new Unavailable(undefined, error)
    }
  }
}

/** The target languages by source language; `und`: for a text in an unknown language. */
type LanguagePairs = Record<string, string[]>

type Translated = { texts: string[]; source: string }

/** Texts are HTML. Both functions throw Unavailable. */
export type TranslationBackend = {
  provider: string
  languages(): Promise<LanguagePairs>
  /** Returns the texts in the same order. Without `source`, the service detects it. */
  translate(texts: readonly string[], source: string | null, target: string): Promise<Translated>
}

/** Parses the response. Throws Unavailable when the request fails. */
type ServiceRequest = (url: string, options: FetchOptions) => Promise<unknown>

type DeepLAnswer = { translations: { text: string; detected_source_language: string }[] }

/** https://developers.deepl.com/docs */
function deepl({ endpoint, apiKey }: DeepL, request: ServiceRequest): TranslationBackend {
  const headers = { authorization: `DeepL-Auth-Key ${apiKey}` }
  const listOf = async (type: 'source' | 'target'): Promise<string[]> =>
    ((await request(`${endpoint}/v2/languages?type=${type}`, { headers })) as { language: string }[]).map(
      ({ language }) => spell(language),
    )
  return {
    provider: 'DeepL.com',
    async languages() {
      const [sources, targets] = await Promise.all([listOf('source'), listOf('target')])
      // DeepL lists only variants of these, but accepts them.
      const all = [...new Set(['en', 'pt', ...targets])].toSorted()
      const pairs: LanguagePairs = {}
      for (const source of sources) pairs[source] = all.filter((target) => target !== source)
      return { ...pairs, und: all }
    },
    async translate(texts, source, target) {
      const form = new URLSearchParams(texts.map((text) => ['text', text]))
      if (source) form.set('source_lang', source.toUpperCase())
      form.set('target_lang', target.toUpperCase())
      form.set('tag_handling', 'html')
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const { translations } = (await request(`${endpoint}/v2/translate`, {
        method: 'POST',
        body: form.toString(),
        headers: { ...headers, ...type },
      })) as DeepLAnswer
      if (!Array.isArray(translations) || translations.length !== texts.length) throw new Unavailable()
      return {
        texts: translations.map(({ text }) => String(text)),
        source: source ?? spell(translations[0]?.detected_source_language ?? 'und'),
      }
    },
  }
}

/** `PT-BR` as `pt-BR`. */
function spell(code: string): string {
  const [language = '', ...more] = code.split(/[_-]/)
  return [language.toLowerCase(), ...more.map((part) => part.toUpperCase())].join('-')
}

type Language = { code: string; targets: string[] }
type Detected = { language: string }
type LibreTranslateAnswer = { translatedText: string | string[]; detectedLanguage?: Detected | Detected[] }

/** https://libretranslate.com/docs */
function libreTranslate({ endpoint, apiKey }: LibreTranslate, request: ServiceRequest): TranslationBackend {
  return {
    provider: 'LibreTranslate',
    async languages() {
      const known = (await request(`${endpoint}/languages`, {})) as Language[]
      const pairs: LanguagePairs = {}
      for (const { code, targets } of known) pairs[code] = targets.filter((target) => target !== code)
      return { ...pairs, und: [...new Set(Object.values(pairs).flat())].toSorted() }
    },
    async translate(texts, source, target) {
      const body = JSON.stringify({
        q: texts,
        source: source ?? 'auto',
        target,
        format: 'html',
        ...(apiKey ? { api_key: apiKey } : {}),
      })
      const headers = { 'content-type': 'application/json' }
      const answer = (await request(`${endpoint}/translate`, { method: 'POST', body, headers })) as LibreTranslateAnswer
      const translated = [answer.translatedText].flat()
      if (translated.length !== texts.length || translated.some((text) => typeof text !== 'string'))
        throw new Unavailable()
      return { texts: translated, source: source ?? [answer.detectedLanguage].flat()[0]?.language ?? 'und' }
    },
  }
}
