import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { newFileKey } from '../../files/store.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { addFile } from '../../lib/tar.ts'
import { statusUri } from '../../domain/server/addresses.ts'

type Document = Record<string, unknown>

/** How what is in an archive is written down: the words of ActivityPub, which the domain does not speak. */
export type ArchiveDocuments = {
  /** The profile; null when the account is gone. */
  actor(ctx: Context, accountId: string): Promise<Document | null>
  /** Posts and boosts as activities, in the order of `ids`. */
  activities(ctx: Context, ids: readonly string[]): Promise<Document[]>
}

type Owner = {
  id: string
  account_id: string
  avatar_key: string | null
  header_key: string | null
}
type Medium = { id: string; file_key: string }

const BATCH = 200

/**
 * Makes the job `portability.archive`: a .tar.gz with profile, posts, favourites and bookmarks as ActivityPub has them, and
 * all media. It is written to a temporary file first, a few posts at a time.
 */
export const archiveBuilder =
  (documents: ArchiveDocuments) =>
  async (ctx: Context, { archiveId }: JobData['portability.archive']): Promise<void> => {
    const owner = await ctx.db.maybe<Owner>(sql`
      select r.id, r.account_id, a.avatar_key, a.header_key from archives r join accounts a on a.id = r.account_id
      where r.id = ${archiveId} and r.state = 'working'`)
    if (!owner) return
    const folder = join(ctx.config.dataDir, 'tmp')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const workplace = await mkdtemp(join(folder, 'archive-'))
    try {
      const path = join(workplace, 'archive.tar.gz')
      const archive = pack()
      await Promise.all([
        fill(ctx, owner, documents, archive, workplace).then(
          () => archive.finalize(),
          (error: unknown) => void archive.destroy(error as Error),
        ),
        pipeline(archive, createGzip(), createWriteStream(path, { mode: 0o600 })),
      ])
      await keep(ctx, owner, path)
    } finally {
      await rm(workplace, { recursive: true, force: true })
    }
  }

async function keep(ctx: Context, owner: Owner, path: string): Promise<void> {
  const key = newFileKey('private', owner.account_id, 'archives', 'tar.gz')
  const { size } = await stat(path)
  await ctx.files.put(key, path, 'application/gzip')
  const kept = await ctx.db.run(sql`
    update archives set state = 'ready', file_key = ${key}, file_size = ${size}, done = total, finished_at = now()
    where id = ${owner.id} and state = 'working'`)
  // The account was deleted meanwhile, or another run of this job was faster.
  if (kept === 0) await ctx.files.delete([key])
}

async function fill(
  ctx: Context,
  owner: Owner,
  documents: ArchiveDocuments,
  archive: Pack,
  workplace: string,
): Promise<void> {
  const { account_id: accountId } = owner
  await ctx.db.run(sql`
    update archives set done = 0, total = (select count(*) from statuses where account_id = ${accountId})
      + (select count(*) from media_attachments where account_id = ${accountId} and status_id is not null and file_key is not null)
    where id = ${owner.id}`)
  const names = new Map<string, string>()
  for (const [name, key] of Object.entries({ avatar: owner.avatar_key, header: owner.header_key }))
    if (key !== null) names.set(ctx.files.url(key), await addStored(ctx, archive, `${name}${extname(key)}`, key))
  for await (const media of mediaOf(ctx, accountId)) {
    for (const { id, file_key: key } of media)
      names.set(ctx.files.url(key), await addStored(ctx, archive, `media/${id}${extname(key)}`, key))
    await progress(ctx, owner, media.length)
  }
  const actor = await documents.actor(ctx, accountId)
  await addFile(archive, { name: 'actor.json' }, JSON.stringify(localised(actor ?? {}, names), null, 2))
  await addOutbox(ctx, owner, documents, archive, { names, path: join(workplace, 'outbox.json') })
  await addFile(archive, { name: 'likes.json' }, await collection(ctx, 'likes.json', accountId, 'favourites'))
  await addFile(archive, { name: 'bookmarks.json' }, await collection(ctx, 'bookmarks.json', accountId, 'bookmarks'))
}

async function* mediaOf(ctx: Context, accountId: string): AsyncGenerator<Medium[]> {
  for (let after = '0'; ;) {
    const media = await ctx.db.many<Medium>(sql`
      select id, file_key from media_attachments
      where account_id = ${accountId} and id > ${after} and status_id is not null and file_key is not null order by id limit ${BATCH}`)
    if (media.length === 0) return
    yield media
    after = media.at(-1)?.id ?? after
  }
}

async function addOutbox(
  ctx: Context,
  owner: Owner,
  documents: ArchiveDocuments,
  archive: Pack,
  { names, path }: { names: ReadonlyMap<string, string>; path: string },
): Promise<void> {
  const file = await open(path, 'w', 0o600)
  let count = 0
  try {
    await file.write(
      '{"@context":"https://www.w3.org/ns/activitystreams","id":"outbox.json","type":"OrderedCollection","orderedItems":[',
    )
    for (let after = '0'; ;) {
      const ids = await ctx.db.many<{ id: string }>(
        sql`select id from statuses where account_id = ${owner.account_id} and id > ${after} order by id limit ${BATCH}`,
      )
      if (ids.length === 0) break
      const items = await documents.activities(
        ctx,
        ids.map(({ id }) => id),
      )
      for (const item of items) {
        await file.write(`${count === 0 ? '' : ','}\n${JSON.stringify(localised(item, names))}`)
        count++
      }
      await progress(ctx, owner, ids.length)
      after = ids.at(-1)?.id ?? after
    }
    await file.write(`\n],"totalItems":${count}}\n`)
  } finally {
    await file.close()
  }
  const entry = archive.entry({ name: 'outbox.json', size: (await stat(path)).size })
  await pipeline(createReadStream(path), entry)
}

/** A document whose pictures are named as they are in the archive. */
function localised(document: Document, names: ReadonlyMap<string, string>): Document {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    typeof value === 'string' ? (names.get(value) ?? value) : value,
  ) as Document
}

async function collection(
  ctx: Context,
  id: string,
  accountId: string,
  table: 'favourites' | 'bookmarks',
): Promise<string> {
  const { rows } = await ctx.db.raw(
    `select s.id, s.uri, a.username from ${table} t join statuses s on s.id = t.status_id join accounts a on a.id = s.account_id
    where t.account_id = $1 order by t.id`,
    [accountId],
  )
  const orderedItems = (rows as { id: string; uri: string | null; username: string }[]).map(
    (row) => row.uri ?? statusUri(ctx, row.username, row.id),
  )
  return JSON.stringify(
    { '@context': 'https://www.w3.org/ns/activitystreams', id, type: 'OrderedCollection', orderedItems },
    null,
    2,
  )
}

/** Puts a stored file into the archive under a name, which it gives; one that is missing is left out. */
async function addStored(ctx: Context, archive: Pack, name: string, key: string): Promise<string> {
  const file = await ctx.files.open(key)
  if (file) await pipeline(file.stream(), archive.entry({ name, size: file.size }))
  return name
}

const progress = (ctx: Context, { id }: Owner, more: number): Promise<number> =>
  ctx.db.run(sql`update archives set done = done + ${more} where id = ${id}`)
