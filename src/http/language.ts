// The language of a response: the parameter `lang`, the user's setting, Accept-Language, English.
import type { FastifyRequest } from 'fastify'
import { closestLanguage } from '../domain/server/languages.ts'
import { isMessageLanguage, MESSAGE_LANGUAGES, type Language } from '../messages/message.ts'

/** Limits for the part of a header that is read, in characters and entries. */
const MAX_LENGTH = 1000
const MAX_ENTRIES = 30

const locales = new WeakMap<object, string>()

export function setLocale(request: FastifyRequest, locale: string): void {
  locales.set(request, locale)
}

type Asked = Pick<FastifyRequest, 'headers'> & { query?: unknown; body?: unknown }

export function languageFor(request: Asked): Language {
  const preferences = [parameter(request.query), parameter(request.body), locales.get(request)]
  for (const tag of [...preferences, ...acceptedLanguages(request.headers['accept-language'])]) {
    const language = tag === undefined ? null : closestLanguage(tag.slice(0, 35), MESSAGE_LANGUAGES)
    if (language !== null && isMessageLanguage(language)) return language
  }
  return 'en'
}

function parameter(params: unknown): string | undefined {
  const lang = (params as { lang?: unknown } | null | undefined)?.lang
  return typeof lang === 'string' ? lang : undefined
}

/** The preferred tags first. */
function acceptedLanguages(header = ''): string[] {
  return header
    .slice(0, MAX_LENGTH)
    .split(',', MAX_ENTRIES)
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const quality = parameters.find((part) => part.startsWith('q='))?.slice(2)
      return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}
