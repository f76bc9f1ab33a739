import type { Context } from '../../context.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { checkEmoji, findNamed } from '../../domain/emojis/emojis.ts'
import type { ReceivedFile } from '../../domain/media/files.ts'
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
  /** Checks names only, and stores nothing. */
  dryRun: boolean
}

export type ImportOutcome =
  | { result: 'imported' | 'replaced' | 'skipped'; shortcode: string }
  | { result: 'failed'; shortcode: string; reason: Text }

/** Imports one image; `name` is that of its file, without the extension. Bad names and images are outcomes and no errors. */
export async function importEmoji(
  ctx: Context,
  staffId: StaffId,
  { name, file }: { name: string; file: ReceivedFile },
  { prefix, suffix, category, overwrite, visibleInPicker, dryRun }: ImportOptions,
): Promise<ImportOutcome> {
  const shortcode = `${prefix}${name}${suffix}`
  try {
    const fields = checkEmoji({ shortcode, category, aliases: [], visibleInPicker })
    const [existing] = await findNamed(ctx, [shortcode])
    if (!existing) {
      if (!dryRun) await createEmoji(ctx, staffId, fields, file)
      return { result: 'imported', shortcode }
    }
    // A name that is the alias of another emoji stays with it.
    if (!overwrite || existing.shortcode !== shortcode) return { result: 'skipped', shortcode }
    const unchanged = { aliases: existing.aliases, category: category || (existing.category ?? '') }
    if (!dryRun) await modifyEmoji(ctx, staffId, existing.id, { ...fields, ...unchanged, file })
    return { result: 'replaced', shortcode }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { result: 'failed', shortcode, reason: problemsIn(error) }
  }
}
