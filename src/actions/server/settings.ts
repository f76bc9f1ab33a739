import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import { writeMails } from '../../domain/auth/mails.ts'
import { findModerators, isModerated, type StaffId } from '../../domain/auth/staff.ts'
import { withStoredFiles, type EncodedFile, type ReceivedFile } from '../../domain/media/files.ts'
import { processSiteImage } from '../../domain/media/site-images.ts'
import { parseSettings, type SettingTexts } from '../../domain/server/setting-rules.ts'
import {
  storeSiteUpload,
  updateThumbnailDescription,
  type SiteUpload,
  type SiteUploadName,
} from '../../domain/server/site-uploads.ts'
import {
  createdAt,
  fixedSettings,
  getSettings,
  settingChangedAt,
  type SettingName,
  type Settings,
  updateSettings,
} from '../../domain/server/settings.ts'
import { newFileKey } from '../../files/store.ts'
import { daysAgo } from '../../lib/dates.ts'
import { Invalid, invalidFields } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { enqueueMails } from './mail.ts'

/** Every process then reads the settings again. */
export const saveSettings = (ctx: Context, changes: Partial<Settings>): Promise<void> =>
  ctx.transaction(async (tx) => {
    await updateSettings(tx, changes)
    tx.publish({ type: 'settings.changed' })
  })

/** Saves those that differ from the present ones. Returns their names. */
async function saveChanged(tx: Context, changes: Partial<Settings>): Promise<string[]> {
  const before = await getSettings(tx)
  const changed = Object.entries(changes).filter(
    ([name, value]) => JSON.stringify(before[name as SettingName]) !== JSON.stringify(value),
  )
  await saveSettings(tx, Object.fromEntries(changed))
  return changed.map(([name]) => name)
}

async function recordChange(tx: Context, staffId: StaffId, names: readonly string[]): Promise<void> {
  if (names.length > 0)
    await insertAuditEntry(tx, staffId, { type: 'settings', action: 'update', id: null, details: { names } })
}

/** For the command line. The values were checked. */
export const setSettings = (ctx: Context, changes: Partial<Settings>): Promise<void> =>
  ctx.transaction(async (tx) => recordChange(tx, null, await saveChanged(tx, changes)))

/** Days without a moderator after which registrations do not stay open. */
const UNMODERATED_DAYS = 7

/**
 * Clean-up task: on a server without active moderators, open registrations need approval from now on, as spammers look for such
 * servers. An administrator who opened them in the last days counts as active, also on the command line.
 */
export async function requireApprovalWithoutModerators(ctx: Context): Promise<void> {
  if (ctx.config.registrationsStayOpen || fixedSettings(ctx).registrations_mode) return
  if ((await getSettings(ctx)).registrations_mode !== 'open') return
  const decidedAt = (await settingChangedAt(ctx, 'registrations_mode')) ?? (await createdAt(ctx))
  if (decidedAt > daysAgo(UNMODERATED_DAYS)) return
  if (await isModerated(ctx, UNMODERATED_DAYS)) return
  await ctx.transaction(async (tx) => {
    await saveSettings(tx, { registrations_mode: 'approved' })
    const link = `${tx.config.baseUrl}/admin/settings/registrations`
    await enqueueMails(
      tx,
      await writeMails(tx, await findModerators(tx), 'registrations_need_approval', { link, days: UNMODERATED_DAYS }),
    )
  })
  ctx.log.warn({ days: UNMODERATED_DAYS }, 'registrations.approval-required')
}

export type SiteFile = ReceivedFile | 'remove'

export type SettingsForm = {
  texts: SettingTexts
  files?: Partial<Record<SiteUploadName, SiteFile>>
  /** The alt text of the thumbnail. */
  thumbnailDescription?: string
}

/**
 * Stores the settings that administrators enter. Throws Invalid with `details` that name every problem, and then stores nothing.
 */
export async function changeSettings(ctx: Context, staffId: StaffId, form: SettingsForm): Promise<void> {
  const changes = await parseSettings(ctx, form.texts)
  const description = form.thumbnailDescription?.trim()
  if (description !== undefined && [...description].length > MAX_THUMBNAIL_DESCRIPTION)
    throw invalidFields({
      thumbnail_description: [
        { error: 'ERR_TOO_LONG', description: message('too_long', { count: MAX_THUMBNAIL_DESCRIPTION }) },
      ],
    })
  const uploads = await processFiles(form.files ?? {})
  const files = uploads.flatMap(({ files: each }) => each)
  const replaced = await withStoredFiles(ctx, files, () =>
    ctx.transaction(async (tx) => {
      const changed = await saveChanged(tx, changes)
      const keys = await Promise.all(uploads.map(({ name, upload }) => storeSiteUpload(tx, name, upload)))
      if (description !== undefined) await updateThumbnailDescription(tx, description)
      await recordChange(tx, staffId, [...changed, ...uploads.map(({ name }) => name)])
      return keys.flat()
    }),
  )
  await ctx.deleteFiles(replaced)
}

export const MAX_THUMBNAIL_DESCRIPTION = 420

type Prepared = { name: SiteUploadName; upload: SiteUpload | null; files: (readonly [string, EncodedFile])[] }

/** Throws Invalid with `details` that name the field of a file that is no image. */
const processFiles = (files: NonNullable<SettingsForm['files']>): Promise<Prepared[]> =>
  Promise.all(
    Object.entries(files).map(async ([key, file]): Promise<Prepared> => {
      const name = key as SiteUploadName
      if (file === 'remove') return { name, upload: null, files: [] }
      const { variants, blurhash } = await processSiteImage(name, file).catch((error: unknown) => {
        if (!(error instanceof Invalid)) throw error
        throw invalidFields({ [name]: [{ error: 'ERR_INVALID', description: message('not_an_image') }] })
      })
      const stored = Object.entries(variants).map(
        ([variant, image]) => [variant, newFileKey('site', name, variant, image.extension), image] as const,
      )
      const upload = {
        variants: Object.fromEntries(stored.map(([variant, fileKey]) => [variant, fileKey])),
        description: '',
        blurhash,
      }
      return { name, upload, files: stored.map(([, fileKey, image]) => [fileKey, image] as const) }
    }),
  )
