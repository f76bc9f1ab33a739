import type { LibreTranslate } from '../../../config.ts'
import { Unavailable } from '../../../lib/errors.ts'
import type { Ask, LanguagePairs, TranslationBackend } from './backend-types.ts'

type Language = { code: string; targets: string[] }
type Detected = { language: string }
type Answer = { translatedText: string | string[]; detectedLanguage?: Detected | Detected[] }

/** https://libretranslate.com/docs */
export function libreTranslate({ endpoint, apiKey }: LibreTranslate, ask: Ask): TranslationBackend {
  return {
    provider: 'LibreTranslate',
    async languages() {
      const known = (await ask(`${endpoint}/languages`, {})) as Language[]
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
      const answer = (await ask(`${endpoint}/translate`, { method: 'POST', body, headers })) as Answer
      const translated = [answer.translatedText].flat()
      if (translated.length !== texts.length || translated.some((text) => typeof text !== 'string'))
        throw new Unavailable()
      return { texts: translated, source: source ?? [answer.detectedLanguage].flat()[0]?.language ?? 'und' }
    },
  }
}
