// A text to be rendered in the language of its reader: a key of the catalogue and its parameters.
import { arApi } from './ar/api.ts'
import { deApi } from './de/api.ts'
import { enApi, type Catalogue } from './en/api.ts'
import { esApi } from './es/api.ts'
import { frApi } from './fr/api.ts'
import { jaApi } from './ja/api.ts'

const CATALOGUES = { en: enApi, de: deApi, fr: frApi, es: esApi, ja: jaApi, ar: arApi } satisfies Record<
  string,
  Catalogue
>

export type Language = keyof typeof CATALOGUES
export const MESSAGE_LANGUAGES: ReadonlySet<string> = new Set(Object.keys(CATALOGUES))
export const isMessageLanguage = (code: string): code is Language => MESSAGE_LANGUAGES.has(code)

/** A message, or a text that the catalogue does not hold and that is English for everyone. */
export type Text = Message | string

export type TextKey = keyof Catalogue['texts']
export type FieldName = keyof Catalogue['fields']

/** Parameters of a text. Where it takes a text, another message may stand. */
type Params<K extends TextKey> = Catalogue['texts'][K] extends (params: infer P) => string
  ? { [Name in keyof P]: P[Name] extends string ? Text : P[Name] extends readonly string[] ? readonly Text[] : P[Name] }
  : never
export type ParamsOf<K extends TextKey> = Catalogue['texts'][K] extends string ? [] : [Params<K>]

/** Logs, `String()` and JSON show it in English. Made by `message` and `fieldLabel`. */
export class Message {
  readonly key: TextKey | 'field'
  readonly params: Readonly<Record<string, unknown>>

  constructor(key: TextKey | 'field', params: Readonly<Record<string, unknown>>) {
    this.key = key
    this.params = params
  }

  toString(): string {
    return render(this, 'en')
  }

  toJSON(): string {
    return this.toString()
  }
}

export function message<K extends TextKey>(key: K, ...[params]: ParamsOf<K>): Message {
  return new Message(key, (params ?? {}) as Record<string, unknown>)
}

/** What a field is called, as far as the catalogue knows it; `display_name` becomes "Display name" otherwise. */
export const fieldLabel = (name: string): Message => new Message('field', { name })

export function render(text: Text, language: Language): string {
  if (typeof text === 'string') return text
  const { texts, fields } = CATALOGUES[language]
  if (text.key === 'field') {
    const name = String(text.params.name)
    return (fields as Record<string, string>)[name] ?? humanise(name)
  }
  const entry = texts[text.key] as string | ((params: Record<string, unknown>) => string)
  if (typeof entry === 'string') return entry
  const inner = (value: unknown): unknown => (value instanceof Message ? render(value, language) : value)
  const params = Object.entries(text.params).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value.map(inner) : inner(value),
  ])
  return entry(Object.fromEntries(params))
}

const humanise = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

export function toLocalisedJson(value: unknown, language: Language): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, plain: unknown) {
    const original = this[key]
    return original instanceof Message ? render(original, language) : plain
  })
}
