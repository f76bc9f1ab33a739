import pLimit from 'p-limit'
import type { Context } from '../../context.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { checkEmoji, findEmojis, type EmojiRow } from '../../domain/emojis/emojis.ts'
import { mayCacheMediaOf, withDownload } from '../../domain/media/files.ts'
import { LOCAL_EMOJI_LIMIT } from '../../domain/media/site-images.ts'
import { AppError, NotFound, problemsIn } from '../../lib/errors.ts'
import type { Text } from '../../messages/message.ts'
import { FetchError } from '../../net/fetch-error.ts'
import { addCheckedEmoji } from './manage.ts'

/** `failed`: with the reason. */
export type CopyResult = { copied: string[]; failed: { shortcode: string; reason: Text }[] }

export const MAX_COPIED = 100
const CONCURRENCY = 4

/** Downloads remote emojis and makes them local. Those that cannot be copied do not keep the others back. */
export async function copyEmojis(
  ctx: Context,
  staffId: StaffId,
  ids: readonly string[],
  { category = '' }: { category?: string } = {},
): Promise<CopyResult> {
  const emojis = (await findEmojis(ctx, ids.slice(0, MAX_COPIED))).filter(({ domain }) => domain !== null)
  const result: CopyResult = { copied: [], failed: [] }
  const limit = pLimit(CONCURRENCY)
  const copyOne = async (emoji: EmojiRow): Promise<void> => {
    try {
      await copy(ctx, staffId, emoji, category)
      result.copied.push(emoji.shortcode)
    } catch (error) {
      if (!(error instanceof AppError || error instanceof FetchError)) throw error
      const reason = error instanceof AppError ? problemsIn(error) : error.message
      result.failed.push({ shortcode: emoji.shortcode, reason })
    }
  }
  await Promise.all(emojis.map((emoji) => limit(() => copyOne(emoji))))
  return result
}

async function copy(ctx: Context, staffId: StaffId, emoji: EmojiRow, category: string): Promise<void> {
  const { domain, shortcode, remote_url: url } = emoji
  if (url === null || !(await mayCacheMediaOf(ctx, domain, url))) throw new NotFound()
  const fields = checkEmoji({ shortcode, category, aliases: [], visibleInPicker: true })
  await withDownload(ctx, url, LOCAL_EMOJI_LIMIT, (path) =>
    addCheckedEmoji(ctx, staffId, fields, { file: { path, size: 0 }, copiedFrom: domain }),
  )
}
