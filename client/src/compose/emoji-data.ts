// All emojis: those of Unicode in the language of the page, and the server's own.
import { signal } from '@preact/signals'
import type { CustomEmoji } from '../api/entities.ts'
import { api, read } from '../api/client.ts'
import { readStoredSoon, writeStored } from '../state/storage.ts'
import { language } from '../texts.ts'

export type UnicodeEmoji = {
  unicode: string
  label: string
  hexcode: string
  group?: number
  tags?: string[]
  skins?: { unicode: string }[]
}

type Messages = { groups: { message: string; order: number }[] }

const data = import.meta.glob<{ default: UnicodeEmoji[] }>(
  '../../../node_modules/emojibase-data/{en,de,fr,es,ja}/compact.json',
)
const messages = import.meta.glob<{ default: Messages }>(
  '../../../node_modules/emojibase-data/{en,de,fr,es,ja}/messages.json',
)

const pathOf = (code: string, file: string): string => `../../../node_modules/emojibase-data/${code}/${file}.json`

async function loadOf<T>(from: Record<string, () => Promise<{ default: T }>>, file: string): Promise<T> {
  const load = from[pathOf(language, file)] ?? from[pathOf('en', file)]
  if (!load) throw new Error('The emojis are missing')
  return (await load()).default
}

/** The group of skin tones and hair is no group of emojis. */
const COMPONENTS = 2

export type EmojiGroup = { name: string; emojis: UnicodeEmoji[] }

let loading: Promise<EmojiGroup[]> | undefined

/** By category, in the usual order. */
export function unicodeGroups(): Promise<EmojiGroup[]> {
  loading ??= loadGroups().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function loadGroups(): Promise<EmojiGroup[]> {
  const [emojis, { groups }] = await Promise.all([loadOf(data, 'compact'), loadOf(messages, 'messages')])
  const sorted = emojis as (UnicodeEmoji & { order?: number })[]
  sorted.sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
  return groups
    .filter(({ order }) => order !== COMPONENTS)
    .map(({ message, order }) => ({ name: message, emojis: sorted.filter(({ group }) => group === order) }))
}

/** The English names that people type between colons, by the code of the emoji. */
export const emojiNames = async (): Promise<Record<string, string | string[]>> =>
  (await import('emojibase-data/en/shortcodes/github.json')).default

export const customEmojis = signal<readonly CustomEmoji[]>([])

let customLoading: Promise<void> | undefined

export function loadCustomEmojis(): Promise<void> {
  customLoading ??= read(api.GET('/api/v1/custom_emojis')).then(
    (emojis) => void (customEmojis.value = emojis.filter(({ visible_in_picker: isVisible }) => isVisible)),
    (error: unknown) => {
      customLoading = undefined
      console.info(error)
    },
  )
  return customLoading
}

/** The stored earlier choices. `tone`: 0 for none, then from light to dark. */
type EmojiMemory = { recent: string[]; tone: number }

const MEMORY = 'emoji-picker'
const RECENT = 32

export const emojiMemory = signal<EmojiMemory>({ recent: [], tone: 0 })

export async function loadEmojiMemory(): Promise<void> {
  emojiMemory.value = (await readStoredSoon<EmojiMemory>(MEMORY)) ?? emojiMemory.value
}

export function changeEmojiMemory(change: Partial<EmojiMemory>): void {
  emojiMemory.value = { ...emojiMemory.value, ...change }
  void writeStored(MEMORY, emojiMemory.value)
}

export function rememberEmoji(text: string): void {
  changeEmojiMemory({ recent: [text, ...emojiMemory.value.recent.filter((each) => each !== text)].slice(0, RECENT) })
}

export const inTone = ({ unicode, skins }: UnicodeEmoji, tone: number): string =>
  (tone > 0 ? skins?.[tone - 1]?.unicode : undefined) ?? unicode
