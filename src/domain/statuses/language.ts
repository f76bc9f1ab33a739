import type { Context } from '../../context.ts'
import type { Statuses } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { detectLanguage, detectLanguageNow } from '../../lib/detect-language.ts'
import { languageOf } from '../server/languages.ts'
import type { StatusBody } from './draft.ts'

/** Detection on fewer letters is a guess. Scripts without spaces need fewer characters. */
const MIN_LETTERS = 20
const MIN_UNSPACED = 6
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu
/** Characters of the text that are searched, and of these, characters that are passed to detection. */
const MAX_SEARCHED = 64 * 1024
const MAX_DETECTED = 2000

// URLs, mentions, hashtags and emoji shortcodes are the same in every language.
const NOT_LANGUAGE = /\b[a-z][a-z0-9+.-]{0,20}:\/\/\S+|[@#＠＃][\p{L}\p{M}\p{N}_.@-]+|:[a-z0-9_]{2,}:/giu

const INLINE_TAG = /<\/?(?:a|b|code|del|em|i|s|span|strong|u)\b[^<>]*>/g

/** The text of sanitised HTML, as far as it says something about the language. */
const proseOf = (content: string): string =>
  content
    .slice(0, MAX_SEARCHED)
    // Servers put the parts of a link into elements of their own.
    .replace(INLINE_TAG, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => (entity === '&amp;' ? '&' : ' '))
    .replace(NOT_LANGUAGE, ' ')

export const isDetectable = (content: string): boolean => isEnough(proseOf(content))

function isEnough(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters >= MIN_LETTERS || (letters >= MIN_UNSPACED && (text.match(UNSPACED)?.length ?? 0) >= MIN_UNSPACED)
}

/** Null when there is not enough text. */
function detectableText(content: string): string | null {
  const text = proseOf(content).slice(0, MAX_DETECTED)
  return isEnough(text) ? text : null
}

type FoundLanguage = Pick<StatusBody, 'language' | 'languageIsAssumed'>

/**
 * The language of a new status: the named one, or the detected one. Null when no language is likely, or with
 * `languageIsAssumed` when it is not known yet.
 */
export function findLanguage(content: string, named: string | null | undefined): FoundLanguage {
  const known = languageOf(named)
  if (known !== null) return { language: known }
  const text = detectableText(content)
  const detected = text === null ? null : detectLanguageNow(text)
  return { language: detected ?? null, languageIsAssumed: detected === undefined }
}

/** As findLanguage, for a local status: the author's preference counts as named, and an unlikely one is that of the interface. */
export function chooseLanguage(
  content: string,
  { preferred, locale }: { preferred: string | null | undefined; locale: string },
): FoundLanguage {
  const found = findLanguage(content, preferred)
  return { ...found, language: found.language ?? languageOf(locale) }
}

/** Null when there is not enough text, or no language is likely. */
export async function detectStatusText(content: string): Promise<string | null> {
  const text = detectableText(content)
  return text === null ? null : detectLanguage(text)
}

type StoredLanguage = { statusId: string; language: string | null }

/** Null when the language of the status changed meanwhile. */
export const findStatusText = (
  ctx: Context,
  { statusId, language }: StoredLanguage,
): Promise<(Pick<Statuses, 'content'> & { edited_at: string | null }) | null> =>
  ctx.db.maybe(sql`
    select content, edited_at::text from statuses
    where id = ${statusId} and language is not distinct from ${language} and reblog_of_id is null`)

/** Returns false when the status or its language was edited meanwhile. */
export const setDetectedLanguage = async (
  tx: Context,
  { statusId, language, editedAt }: StoredLanguage & { editedAt: string | null },
  detected: string,
): Promise<boolean> =>
  (await tx.db.run(sql`
    update statuses set language = ${detected}
    where id = ${statusId} and language is not distinct from ${language} and edited_at::text is not distinct from ${editedAt}`)) >
  0
