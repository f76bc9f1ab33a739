import { createBackup } from '../domain/backup/create.ts'
import { BackupError, type BackupProblem, type Manifest } from '../domain/backup/format.ts'
import { checkEmpty, countMissingUploads, restoreBackup, verifyBackup } from '../domain/backup/restore.ts'
import { unlinkMissing } from '../domain/media/cache.ts'
import { openFileStore } from '../files/open-store.ts'
import { readableSize } from '../lib/text/size.ts'
import type { CliTexts } from '../messages/en/cli.ts'
import { CommandError, defineCommand } from './command.ts'
import { DRY_RUN } from './outcome.ts'

export const backup = defineCommand({
  name: 'backup',
  args: ['FILE'],
  options: { media: { type: 'boolean' } },
  async run({ t, config, database, args, values, progress }) {
    const file = args[0] as string
    const { units } = t.operations
    const manifest = await explained(t, async () =>
      createBackup(await database(), file, {
        config,
        files: openFileStore(config),
        withMedia: values.media,
        onProgress({ table, done, total, bytes, files }) {
          const size = readableSize(bytes)
          progress(
            files > 0 ? `${units.files({ count: files })}, ${size}` : t.backup.tables({ done, total, table, size }),
          )
        },
      }),
    )
    const { included, bytes } = manifest.media
    const files = units.files({ count: manifest.media.files })
    return {
      text: t.backup.done({ file, rows: rowsIn(t, manifest), files, included, size: readableSize(bytes) }),
      json: { file, ...summaryOf(manifest) },
    }
  },
})

export const restore = defineCommand({
  name: 'restore',
  args: ['FILE'],
  options: { 'dry-run': DRY_RUN },
  async run({ t, config, open, database, args, values, progress }) {
    const file = args[0] as string
    const options = {
      config,
      files: openFileStore(config),
      onProgress: ({ step, bytes }: { step: keyof CliTexts['backup']['steps']; bytes: number }) =>
        progress(render(t.backup.steps[step], readableSize(bytes))),
    }
    if (values['dry-run']) {
      const manifest = await explained(t, () => verifyBackup(file, options))
      // An archive can be verified on the server that made it.
      const obstacle = await obstacleTo(t, async () => checkEmpty(await database()))
      const text = [t.backup.good(factsOf(t, manifest)), ...(obstacle === null ? [] : [obstacle])].join('\n')
      return { text, json: { ...summaryOf(manifest), restored: false, can_restore_here: obstacle === null } }
    }
    const manifest = await explained(t, async () => restoreBackup(await database(), file, options))
    // Copies of remote files are not in the archive, and fetched again.
    await unlinkMissing(await open())
    const missing = await countMissingUploads(await database(), options.files)
    const lines = [
      t.backup.restored(factsOf(t, manifest)),
      ...(missing > 0 ? [t.backup.missing({ count: missing })] : []),
    ]
    return { text: lines.join('\n'), json: { ...summaryOf(manifest), restored: true, missing_uploads: missing } }
  },
})

const render = (text: string | ((params: { size: string }) => string), size: string): string =>
  typeof text === 'string' ? text : text({ size })

const rowsIn = (t: CliTexts, { tables }: Manifest): string =>
  t.operations.units.rows({ count: tables.reduce((sum, { rows }) => sum + rows, 0) })

const factsOf = (t: CliTexts, manifest: Manifest): Record<'domain' | 'date' | 'rows' | 'files', string> => ({
  domain: manifest.domain,
  date: manifest.created_at,
  rows: rowsIn(t, manifest),
  files: t.operations.units.files({ count: manifest.media.included }),
})

function summaryOf(manifest: Manifest): Record<string, unknown> {
  const { format, rookery, created_at, domain, migrations, media, members } = manifest
  const tables = Object.fromEntries(manifest.tables.map(({ name, rows }) => [name, rows]))
  return { format, rookery, created_at, domain, migration: migrations.at(-1)?.id, tables, media, members }
}

/** Turns a BackupError into a CommandError in the language of the terminal. */
async function explained<T>(t: CliTexts, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupError) throw new CommandError(textOf(t, error.problem), { cause: error })
    throw error
  }
}

async function obstacleTo(t: CliTexts, check: () => Promise<void>): Promise<string | null> {
  try {
    await check()
    return null
  } catch (error) {
    if (error instanceof BackupError) return textOf(t, error.problem)
    throw error
  }
}

function textOf({ backup: { problems } }: CliTexts, problem: BackupProblem): string {
  const text = problems[problem.reason] as string | ((params: BackupProblem) => string)
  return typeof text === 'string' ? text : text(problem)
}
