import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/names.ts'
import { detectLanguage } from '../../lib/detect-language.ts'
import { htmlToText } from '../../lib/sanitize.ts'
import { indexStatuses } from './search-index.ts'

/** From fewer letters, a language is guessed rather than told. Scripts without spaces say more with each. */
const FEWEST_LETTERS = 20
const FEWEST_CHARACTERS = 6
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu
/** So much is looked at, and so much tells it. Characters. */
const LONGEST = 64 * 1024
const ENOUGH = 2000

// Names of people, places on the web and pictures are the same in every language.
const NOT_LANGUAGE = /\b[a-z][a-z0-9+.-]{0,20}:\/\/\S+|[@#＠＃][\p{L}\p{M}\p{N}_.@-]+|:[a-z0-9_]{2,}:/giu

/** Whether there is enough of a post, given as HTML, to tell its language. */
export function isTellable(content: string): boolean {
  return isEnough(
    content
      .slice(0, LONGEST)
      .replace(/<[^>]*>/g, ' ')
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

/** The job `languages.detect`: says of a post whose author did not in what language it is, where that can be told. */
export async function detectStatusLanguage(ctx: Context, { statusId }: JobData['languages.detect']): Promise<void> {
  const post = await ctx.db.maybe<{ content: string; edited_at: string | null }>(
    sql`select content, edited_at::text from statuses where id = ${statusId} and language is null and reblog_of_id is null`,
  )
  if (!post) return
  const text = htmlToText(post.content).slice(0, LONGEST).replace(NOT_LANGUAGE, ' ').slice(0, ENOUGH)
  const language = isEnough(text) ? await detectLanguage(text) : null
  if (language === null) return
  await ctx.transaction(async (tx) => {
    const changed = await tx.db.run(sql`
      update statuses set language = ${language}
      where id = ${statusId} and language is null and edited_at::text is not distinct from ${post.edited_at}`)
    if (changed > 0) await indexStatuses(tx, [statusId])
  })
}
