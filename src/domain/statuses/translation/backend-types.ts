import type { FetchOptions } from '../../../net/gate.ts'

/** The target languages by source language; `und`: of a text whose language is unknown. */
export type LanguagePairs = Record<string, string[]>

export type Translated = { texts: string[]; source: string }

/** A service that translates HTML. Both functions throw Unavailable. */
export type TranslationBackend = {
  /** What the API calls it. */
  provider: string
  languages(): Promise<LanguagePairs>
  /** Texts in, texts out, in the same order. `source` null: the service detects it. */
  translate(texts: readonly string[], source: string | null, target: string): Promise<Translated>
}

/** Sends a request to the service. Throws Unavailable unless it answers with success. */
export type Ask = (url: string, options: FetchOptions) => Promise<unknown>
