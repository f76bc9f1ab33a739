import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { detectLanguage, detectLanguageWithin } from '../../lib/detect-language.ts'
import { htmlToText } from '../../lib/sanitize.ts'
import { languageOf } from '../server/languages.ts'
import type { StatusBody } from './draft.ts'
import { indexStatuses } from '../search/status-index.ts'

/** From fewer letters, a language is guessed rather than told. Scripts without spaces say more with each. */
const FEWEST_LETTERS = 20
const FEWEST_CHARACTERS = 6
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu
/** So much is looked at, and so much tells it. Characters. */
const LONGEST = 64 * 1024
const ENOUGH = 2000
/** So long the answer to a new post waits for its language. Milliseconds. */
const PATIENCE = 5

// Names of people, places on the web and pictures are the same in every language.
const NOT_LANGUAGE = /\b[a-z][a-z0-9+.-]{0,20}:\/\/\S+|[@#＠＃][\p{L}\p{M}\p{N}_.@-]+|:[a-z0-9_]{2,}:/giu

/** Whether there is enough of a post, given as HTML, to tell its language. */
export function isTellable(content: string): boolean {
  return isEnough(
    content
      .slice(0, LONGEST)
      .replace(/<[^<>]*>/g, ' ')
      .replace(NOT_LANGUAGE, ' '),
  )
}

function isEnough(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return (
    letters >= FEWEST_LETTERS ||
    (letters >= FEWEST_CHARACTERS && (text.match(UNSPACED)?.length ?? 0) >= FEWEST_CHARACTERS)
  )
}

/** The part of a post, given as HTML, that tells its language; null where it is too little. */
function tellingText(content: string): string | null {
  const text = htmlToText(content).slice(0, LONGEST).replace(NOT_LANGUAGE, ' ').slice(0, ENOUGH)
  return isEnough(text) ? text : null
}

/**
 * The language of a new local post whose author named none: the author's preference, the detected language where detection
 * takes a few milliseconds, or else the language of the author's interface. `languageIsAssumed`: detection is still to come.
 */
export async function chooseLanguage(
  content: string,
  { preferred, locale }: { preferred: string | null | undefined; locale: string },
): Promise<Pick<StatusBody, 'language' | 'languageIsAssumed'>> {
  const chosen = languageOf(preferred)
  if (chosen !== null) return { language: chosen }
  const text = tellingText(content)
  const detected = text === null ? null : await detectLanguageWithin(text, PATIENCE)
  return { language: detected ?? languageOf(locale), languageIsAssumed: detected === undefined }
}

/** The job `languages.detect`: stores the language of a post whose author named none, where it can be told. */
export async function detectStatusLanguage(
  ctx: Context,
  { statusId, ...stored }: JobData['languages.detect'],
): Promise<void> {
  const assumed = stored.assumed ?? null
  const post = await ctx.db.maybe<{ content: string; edited_at: string | null }>(sql`
    select content, edited_at::text from statuses
    where id = ${statusId} and language is not distinct from ${assumed} and reblog_of_id is null`)
  const text = post && tellingText(post.content)
  const language = text ? await detectLanguage(text) : null
  if (!post || language === null) return
  await ctx.transaction(async (tx) => {
    const changed = await tx.db.run(sql`
      update statuses set language = ${language}
      where id = ${statusId} and language is not distinct from ${assumed} and edited_at::text is not distinct from ${post.edited_at}`)
    if (changed > 0) await indexStatuses(tx, [statusId])
  })
}
