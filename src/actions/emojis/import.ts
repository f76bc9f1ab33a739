import type { Context } from '../../context.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { checkEmoji, findNamed } from '../../domain/emojis/emojis.ts'
import type { ReceivedFile } from '../../domain/media/files.ts'
import { processEmoji } from '../../domain/media/site-images.ts'
import { AppError, problemsIn } from '../../lib/errors.ts'
import type { Text } from '../../messages/message.ts'
import { createEmoji, modifyEmoji } from './manage.ts'

export type ImportOptions = {
  prefix: string
  suffix: string
  category: string
  /** Replaces the images of emojis that exist; otherwise they are skipped. */
  overwrite: boolean
  visibleInPicker: boolean
  /** Of a dry run, which stores nothing: the shortcodes that it would add. Null otherwise. */
  planned: Set<string> | null
}

export type ImportOutcome =
  | { result: 'imported' | 'replaced' | 'skipped'; shortcode: string }
  | { result: 'failed'; shortcode: string; reason: Text }

/**
 * Imports one image; `name` is that of its file, without the extension. Bad names and images are outcomes and no errors. Throws
 * Unavailable.
 */
export async function importEmoji(
  ctx: Context,
  staffId: StaffId,
  { name, file }: { name: string; file: ReceivedFile },
  { prefix, suffix, category, overwrite, visibleInPicker, planned }: ImportOptions,
): Promise<ImportOutcome> {
  const wanted = `${prefix}${name}${suffix}`
  try {
    const fields = checkEmoji({ shortcode: wanted, category, aliases: [], visibleInPicker })
    const { shortcode } = fields
    const [existing] = await findNamed(ctx, [shortcode])
    const isTaken = existing !== undefined || planned?.has(shortcode) === true
    // A name that is the alias of another emoji stays with it.
    if (isTaken && (!overwrite || (existing && existing.shortcode !== shortcode)))
      return { result: 'skipped', shortcode }
    if (planned) {
      await processEmoji(file)
      planned.add(shortcode)
    } else if (existing) {
      const unchanged = { aliases: existing.aliases, category: category || (existing.category ?? '') }
      await modifyEmoji(ctx, staffId, existing.id, { ...fields, ...unchanged, file })
    } else await createEmoji(ctx, staffId, fields, file)
    return { result: isTaken ? 'replaced' : 'imported', shortcode }
  } catch (error) {
    // An outage would make all that follow fail, too.
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { result: 'failed', shortcode: wanted, reason: problemsIn(error) }
  }
}
