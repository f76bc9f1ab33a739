// The one key that is not in the database: SECRET_KEY_BASE, or a file in the data directory.
import { hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { StartError } from '../../lib/errors.ts'

const FILE = 'secret_key_base'

const derive = (base: string): Buffer => Buffer.from(hkdfSync('sha256', base, '', 'rookery secrets', 32))

/** Where the key of this server comes from, for messages. */
export const secretKeySource = (config: Config): string =>
  config.secretKeyBase === null ? join(config.dataDir, FILE) : 'SECRET_KEY_BASE'

/** The key that seals the other keys; null when there is none yet. */
export async function findSecretKey(config: Config): Promise<Buffer | null> {
  if (config.secretKeyBase !== null) return derive(config.secretKeyBase)
  const text = await readFile(join(config.dataDir, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new StartError(`${join(config.dataDir, FILE)} cannot be read (${error.message}).`, { cause: error })
  })
  return text.trim() ? derive(text.trim()) : null
}

/** The key, made and written down first where there is none. Of two processes at once, both get the key of the first. */
export async function findOrMakeSecretKey(config: Config): Promise<Buffer> {
  const found = await findSecretKey(config)
  if (found) return found
  const file = join(config.dataDir, FILE)
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  await writeDurably(unfinished, `${randomBytes(64).toString('hex')}\n`)
  try {
    // Unlike a rename, this replaces nothing.
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(unfinished, { force: true })
  }
  await sync(config.dataDir)
  return (await findSecretKey(config)) as Buffer
}

/** On disk before anything is sealed with it: a crash must not leave sealed keys without it. */
async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
