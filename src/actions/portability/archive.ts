import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Pack } from 'tar-stream'
import type { Context } from '../../context.ts'
import { newFileKey } from '../../files/store.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { addDays, isoDay } from '../../lib/dates.ts'
import { addFile } from '../../lib/tar.ts'
import { discardFiles } from '../../domain/media/files.ts'
import {
  addProgress,
  archivedMedia,
  archivedStatusIds,
  findWorkingArchive,
  finishArchive,
  insertArchive,
  resetProgress,
  type WorkingArchive,
} from '../../domain/portability/archives.ts'
import { listStatusUris } from '../../domain/portability/export.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { mailUser } from '../server/mail.ts'

type Document = Record<string, unknown>

/** Renders ActivityPub, which only `federation/` may do: the worker passes it in. */
export type ArchiveDocuments = {
  /** Null when the account is gone. */
  actor(ctx: Context, accountId: string): Promise<Document | null>
  /** Statuses and reblogs, in the order of `ids`. */
  activities(ctx: Context, ids: readonly string[]): Promise<Document[]>
}

/** Throws Invalid within a week of the last archive. */
export async function requestArchive(ctx: Context, accountId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await tx.enqueue('portability.archive', { archiveId: await insertArchive(tx, accountId) })
  })
}

/**
 * Returns the handler of the job `portability.archive`, which builds a .tar.gz of all media and of profile, statuses, favourites
 * and bookmarks as ActivityPub documents. The archive is written to a temporary file in batches.
 */
export const archiveBuilder =
  (documents: ArchiveDocuments) =>
  async (ctx: Context, { archiveId }: JobData['portability.archive']): Promise<void> => {
    const owner = await findWorkingArchive(ctx, archiveId)
    if (!owner) return
    const folder = join(ctx.config.dataDir, 'tmp')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // After a crash, the clean-up of uploads finds it by its name.
    const workplace = await mkdtemp(join(folder, 'upload-archive-'))
    try {
      const path = join(workplace, 'archive.tar.gz')
      const { pack } = await import('tar-stream')
      const archive = pack()
      await Promise.all([
        fill(ctx, { owner, documents, archive, outboxPath: join(workplace, 'outbox.json') }).then(
          () => archive.finalize(),
          (error: unknown) => void archive.destroy(error as Error),
        ),
        pipeline(archive, createGzip(), createWriteStream(path, { mode: 0o600 })),
      ])
      await store(ctx, owner, path)
    } finally {
      await rm(workplace, { recursive: true, force: true })
    }
  }

async function store(ctx: Context, owner: WorkingArchive, path: string): Promise<void> {
  const key = newFileKey('private', owner.account_id, 'archives', 'tar.gz')
  const { size } = await stat(path)
  await ctx.files.put(key, path, 'application/gzip')
  try {
    const finished = await ctx.transaction((tx) => finish(tx, owner, { key, size }))
    // The account was deleted meanwhile, or another run of this job was faster.
    if (!finished) await ctx.deleteFiles([key])
  } catch (error) {
    await discardFiles(ctx, [key], error)
    throw error
  }
}

async function finish(tx: Context, owner: WorkingArchive, file: { key: string; size: number }): Promise<boolean> {
  if (!(await finishArchive(tx, owner, file))) return false
  const { backups_retention_period: days } = await getSettings(tx)
  const date = isoDay(addDays(new Date(), days))
  await mailUser(tx, owner.user_id, 'archive_ready', { date, link: `${tx.config.baseUrl}/settings/export` })
  return true
}

/** Members of `actor.json`: programs that read archives of Mastodon find the other documents by them. */
const COLLECTIONS = { outbox: 'outbox.json', likes: 'likes.json', bookmarks: 'bookmarks.json' }

/** `outboxPath`: of a temporary file. The size of the outbox must be known before it is added to the archive. */
type Work = { owner: WorkingArchive; documents: ArchiveDocuments; archive: Pack; outboxPath: string }

async function fill(ctx: Context, work: Work): Promise<void> {
  const { owner, documents, archive } = work
  const { account_id: accountId } = owner
  await resetProgress(ctx, owner)
  const names = new Map<string, string>()
  for (const [name, key] of Object.entries({ avatar: owner.avatar_key, header: owner.header_key }))
    if (key !== null) names.set(ctx.files.url(key), await addStored(ctx, archive, `${name}${extname(key)}`, key))
  for await (const media of archivedMedia(ctx, accountId)) {
    for (const { id, file_key: key } of media)
      names.set(ctx.files.url(key), await addStored(ctx, archive, `media/${id}${extname(key)}`, key))
    await addProgress(ctx, owner, media.length)
  }
  const actor = { ...(await documents.actor(ctx, accountId)), ...COLLECTIONS }
  await addFile(archive, { name: 'actor.json' }, JSON.stringify(localised(actor, names), null, 2))
  await addOutbox(ctx, work, names)
  for (const [name, table] of Object.entries({ 'likes.json': 'favourites', 'bookmarks.json': 'bookmarks' } as const))
    await addFile(archive, { name }, await renderCollection(ctx, name, accountId, table))
}

async function addOutbox(
  ctx: Context,
  { owner, documents, archive, outboxPath }: Work,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const file = await open(outboxPath, 'w', 0o600)
  let count = 0
  try {
    await file.write(
      '{"@context":"https://www.w3.org/ns/activitystreams","id":"outbox.json","type":"OrderedCollection","orderedItems":[',
    )
    for await (const ids of archivedStatusIds(ctx, owner.account_id)) {
      for (const item of await documents.activities(ctx, ids)) {
        await file.write(`${count === 0 ? '' : ','}\n${JSON.stringify(localised(item, names))}`)
        count++
      }
      await addProgress(ctx, owner, ids.length)
    }
    await file.write(`\n],"totalItems":${count}}\n`)
  } finally {
    await file.close()
  }
  const entry = archive.entry({ name: 'outbox.json', size: (await stat(outboxPath)).size })
  await pipeline(createReadStream(outboxPath), entry)
}

/** Replaces the URLs of files by their names in the archive. */
function localised(document: Document, names: ReadonlyMap<string, string>): Document {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    typeof value === 'string' ? (names.get(value) ?? value) : value,
  ) as Document
}

async function renderCollection(
  ctx: Context,
  id: string,
  accountId: string,
  table: 'favourites' | 'bookmarks',
): Promise<string> {
  const orderedItems = await listStatusUris(ctx, accountId, table)
  return JSON.stringify(
    {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id,
      type: 'OrderedCollection',
      totalItems: orderedItems.length,
      orderedItems,
    },
    null,
    2,
  )
}

/** Returns `name`. Skips a missing file. */
async function addStored(ctx: Context, archive: Pack, name: string, key: string): Promise<string> {
  const file = await ctx.files.open(key)
  if (file) await pipeline(file.stream(), archive.entry({ name, size: file.size }))
  return name
}
