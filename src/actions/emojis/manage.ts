import type { Context } from '../../context.ts'
import { insertAuditEntries, insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import {
  checkEmoji,
  checkNamesAreFree,
  deleteStoredEmojis,
  findEmojis,
  findMatchingIds,
  insertEmoji,
  lockEmojiNames,
  MAX_LOCAL_EMOJIS,
  updateEmoji,
  updateEmojis,
  type BatchChange,
  type EmojiFields,
  type EmojiFiles,
  type EmojiFilter,
} from '../../domain/emojis/emojis.ts'
import { withStoredFiles, type EncodedFile, type ReceivedFile } from '../../domain/media/files.ts'
import { processEmoji } from '../../domain/media/site-images.ts'
import { newFileKey } from '../../files/store.ts'
import { invalidRequest, NotFound } from '../../lib/errors.ts'

/** Returns the id. Throws Invalid, with `details` for the fields. */
export const createEmoji = async (
  ctx: Context,
  staffId: StaffId,
  form: EmojiFields,
  file: ReceivedFile,
): Promise<string> => addCheckedEmoji(ctx, staffId, checkEmoji(form), { file })

/** As createEmoji, for fields that `checkEmoji` has returned. `copiedFrom`: the server of the emoji that it is a copy of. */
export const addCheckedEmoji = (
  ctx: Context,
  staffId: StaffId,
  fields: EmojiFields,
  { file, copiedFrom = null }: { file: ReceivedFile; copiedFrom?: string | null },
): Promise<string> =>
  withEmojiFiles(ctx, fields.shortcode, file, (files) =>
    ctx.transaction(async (tx) => {
      await lockEmojiNames(tx)
      await checkNamesAreFree(tx, fields, null)
      const id = await insertEmoji(tx, fields, files)
      if (id === null) throw invalidRequest('too_many_entries', { count: MAX_LOCAL_EMOJIS })
      const emoji = { id, shortcode: fields.shortcode, domain: copiedFrom }
      await recordActs(tx, staffId, copiedFrom === null ? 'create' : 'copy', [emoji])
      return id
    }),
  )

/**
 * Without a file, the image stays. Does nothing for the same values. Throws NotFound for remote ones too; Invalid, with `details`
 * for the fields.
 */
export async function modifyEmoji(
  ctx: Context,
  staffId: StaffId,
  id: string,
  { file = null, ...form }: EmojiFields & { file?: ReceivedFile | null },
): Promise<void> {
  const fields = checkEmoji(form)
  const store = (files: EmojiFiles | null): Promise<string[]> =>
    ctx.transaction(async (tx) => {
      await lockEmojiNames(tx)
      const [before] = await findEmojis(tx, [id])
      if (!before || before.domain !== null) throw new NotFound()
      await checkNamesAreFree(tx, fields, id)
      if (await updateEmoji(tx, id, fields, files))
        await recordActs(tx, staffId, 'update', [{ id, shortcode: fields.shortcode }])
      return files === null ? [] : fileKeysOf(before)
    })
  const replaced = file === null ? await store(null) : await withEmojiFiles(ctx, fields.shortcode, file, store)
  await ctx.deleteFiles(replaced)
}

/** Ignores remote emojis and unknown ids. Returns how many changed. */
export const changeEmojis = (
  ctx: Context,
  staffId: StaffId,
  ids: readonly string[],
  change: BatchChange,
): Promise<number> =>
  ctx.transaction(async (tx) => {
    const changed = await updateEmojis(tx, ids, change)
    await recordActs(tx, staffId, actOf(change), changed)
    return changed.length
  })

function actOf({ disabled }: BatchChange): Act {
  if (disabled === undefined) return 'update'
  return disabled ? 'disable' : 'enable'
}

/** Reactions with the emojis go as well; posts keep the shortcode as text. Returns how many there were. */
export async function deleteEmojis(ctx: Context, staffId: StaffId, ids: readonly string[]): Promise<number> {
  const deleted = await ctx.transaction(async (tx) => {
    const rows = await deleteStoredEmojis(tx, ids)
    await recordActs(tx, staffId, 'delete', rows)
    return rows
  })
  await ctx.deleteFiles(deleted.flatMap(fileKeysOf))
  return deleted.length
}

const BATCH = 500

/** Deletes all emojis that match, in batches, with one entry in the audit log. Returns how many there were. */
export async function purgeEmojis(
  ctx: Context,
  staffId: StaffId,
  filter: EmojiFilter,
  onProgress: (done: number) => void,
): Promise<number> {
  let done = 0
  for (;;) {
    const ids = await findMatchingIds(ctx, filter, BATCH)
    if (ids.length === 0) break
    const deleted = await ctx.transaction((tx) => deleteStoredEmojis(tx, ids))
    await ctx.deleteFiles(deleted.flatMap(fileKeysOf))
    done += deleted.length
    onProgress(done)
  }
  if (done > 0)
    await ctx.transaction(async (tx) => {
      const details = { count: done, from: filter.from || 'local' }
      await insertAuditEntry(tx, staffId, { type: 'custom_emoji', action: 'delete', id: null, details })
      tx.publish({ type: 'settings.changed' })
    })
  return done
}

/** Stores the image, and deletes it again when `work` fails. Throws Invalid for a file that is no image. */
async function withEmojiFiles<T>(
  ctx: Context,
  shortcode: string,
  file: ReceivedFile,
  work: (files: EmojiFiles) => Promise<T>,
): Promise<T> {
  const { image, still } = await processEmoji(file)
  const keyOf = (variant: string, { extension }: EncodedFile): string =>
    newFileKey('custom_emojis', shortcode, variant, extension)
  const files = { image_key: keyOf('original', image), static_key: still && keyOf('static', still) }
  const stored = [
    [files.image_key, image] as const,
    ...(still && files.static_key ? [[files.static_key, still] as const] : []),
  ]
  return withStoredFiles(ctx, stored, () => work(files))
}

const fileKeysOf = ({ image_key: image, static_key: still }: EmojiFiles): string[] => [
  ...(image ? [image] : []),
  ...(still ? [still] : []),
]

type Act = 'create' | 'copy' | 'update' | 'enable' | 'disable' | 'delete'

/** Every process then reads the emojis again. */
async function recordActs(
  tx: Context,
  staffId: StaffId,
  action: Act,
  emojis: readonly { id: string; shortcode: string; domain?: string | null }[],
): Promise<void> {
  if (emojis.length === 0) return
  const entries = emojis.map(({ id, shortcode, domain }) => ({
    type: 'custom_emoji' as const,
    action,
    id,
    label: domain ? `:${shortcode}: @${domain}` : `:${shortcode}:`,
  }))
  await insertAuditEntries(tx, staffId, entries)
  tx.publish({ type: 'settings.changed' })
}
