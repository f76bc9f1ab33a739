import type { DeepL } from '../../../config.ts'
import { Unavailable } from '../../../lib/errors.ts'
import type { Ask, LanguagePairs, TranslationBackend } from './backend-types.ts'

type Answer = { translations: { text: string; detected_source_language: string }[] }

/** https://developers.deepl.com/docs */
export function deepl({ endpoint, apiKey }: DeepL, ask: Ask): TranslationBackend {
  const headers = { authorization: `DeepL-Auth-Key ${apiKey}` }
  const listOf = async (type: 'source' | 'target'): Promise<string[]> =>
    ((await ask(`${endpoint}/v2/languages?type=${type}`, { headers })) as { language: string }[]).map(({ language }) =>
      spell(language),
    )
  return {
    provider: 'DeepL.com',
    async languages() {
      const [sources, targets] = await Promise.all([listOf('source'), listOf('target')])
      // Their variants are listed, but these are understood as well.
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
      const { translations } = (await ask(`${endpoint}/v2/translate`, {
        method: 'POST',
        body: form.toString(),
        headers: { ...headers, ...type },
      })) as Answer
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
