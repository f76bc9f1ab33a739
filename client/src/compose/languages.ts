// The language of a post: detected from its text, or chosen. Choices are remembered.
import { signal } from '@preact/signals'
import { api, read } from '../api/client.ts'
import { identity } from '../state/me.ts'
import { readStored, writeStored } from '../state/storage.ts'
import { languageName } from '../statuses/language-name.ts'
import { language } from '../texts.ts'

export type PostLanguage = { code: string; name: string }

const RECENT = 'compose-languages'
/** Letters from which on a guess is worth showing. */
const LONG_ENOUGH = 30

/** The languages that the server knows. */
export const serverLanguages = signal<readonly PostLanguage[]>([])
export const recentLanguages = signal<readonly string[]>([])
/** The detected language of the text in the composer. */
export const detectedLanguage = signal<string | null>(null)

let loaded: Promise<void> | undefined

export function loadLanguages(): Promise<void> {
  loaded ??= load().catch((error: unknown) => {
    console.info(error)
    loaded = undefined
  })
  return loaded
}

async function load(): Promise<void> {
  void loadRecentLanguages()
  const languages = await read(api.GET('/api/v1/instance/languages'))
  serverLanguages.value = languages
    .map(({ code, name }) => ({ code, name: languageName(code, name) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language))
}

async function loadRecentLanguages(): Promise<void> {
  const stored = await readStored<string[]>(RECENT)
  setRecent([...recentLanguages.value, ...(stored ?? [])])
}

function setRecent(codes: string[]): void {
  recentLanguages.value = [...new Set(codes)].slice(0, 5)
}

export function rememberLanguage(code: string): void {
  setRecent([code, ...recentLanguages.value])
  void writeStored(RECENT, recentLanguages.value)
}

/** The text without mentions, tags, links and shortcodes, which have no language. */
const plainWords = (text: string): string => text.replaceAll(/https?:\S+|[@#]\S+|:\w+:/g, ' ').trim()

export async function detectLanguage(text: string): Promise<void> {
  const words = plainWords(text)
  if (words.length < LONG_ENOUGH) {
    detectedLanguage.value = null
    return
  }
  const { franc } = await import('franc-min')
  const [code = ''] = Intl.getCanonicalLocales(franc(words))
  detectedLanguage.value = serverLanguages.value.some((each) => each.code === code) ? code : null
}

/** The language that a post without a chosen one gets: detected, else the last chosen one, else the account's. */
export function assumedLanguage(): string | null {
  return (
    detectedLanguage.value ??
    recentLanguages.value[0] ??
    identity.value?.preferences['posting:default:language'] ??
    language
  )
}
