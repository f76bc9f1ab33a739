// An external PostgreSQL server, its standby, and an address that leads to one of them.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createLog } from '../../src/lib/log.ts'
import { locateBinaries } from '../../src/postgres/binaries.ts'
import { connectionTo, socketFile } from '../../src/postgres/connection.ts'
import { startEmbedded } from '../../src/postgres/embedded.ts'
import { type PostgresSettings, type Postmaster, SETTINGS, startPostmaster } from '../../src/postgres/postmaster.ts'
import { chooseRunAs } from '../../src/postgres/run-as.ts'
import { migrateAll } from '../support/database.ts'

/** One PostgreSQL server. It is restarted when it exits, as a service manager would do. */
export type Node = {
  socketDir: string
  clusterDir: string
  pid(): number
  /** Runs one statement as an administrator. */
  query(text: string): Promise<any[]>
  stop(): Promise<void>
}

/**
 * A TCP proxy whose target can be switched, as a failover does with a DNS name. The connections that are open stay so, without an
 * answer, as when a machine loses its power.
 */
export type Front = { port: number; leadTo(node: Node): void; close(): void }

async function startNode(folder: string, settings: PostgresSettings): Promise<Node> {
  const clusterDir = join(folder, 'postgres')
  const socketDir = join(folder, 'run')
  const binaries = locateBinaries(join(folder, 'lib'))
  const runAs = chooseRunAs(clusterDir, binaries)
  mkdirSync(socketDir, { recursive: true })
  const options = { clusterDir, socketDir, logFile: join(folder, 'log'), binaries, runAs, log: createLog('silent') }
  const postmaster: Postmaster = await startPostmaster({
    ...options,
    settings: { ...SETTINGS, fsync: 'off', max_connections: 50, ...settings },
  })
  return {
    socketDir,
    clusterDir,
    pid: () => Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10),
    async query(text) {
      const client = new pg.Client(connectionTo(socketDir, 'postgres'))
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query(text)).rows
      } finally {
        await client.end()
      }
    },
    stop: () => postmaster.stop(),
  }
}

/** Of this run: its processes have one parent. */
const TEMPLATE = join(tmpdir(), `rookery-cluster-${process.ppid}`)

/** Puts a cluster with a migrated database into a new data directory: to create one takes two seconds of CPU time. */
export async function copyCluster(dataDir: string): Promise<void> {
  if (!existsSync(TEMPLATE)) await makeTemplate()
  cpSync(join(TEMPLATE, 'postgres'), join(dataDir, 'postgres'), { recursive: true })
}

async function makeTemplate(): Promise<void> {
  const making = mkdtempSync(`${TEMPLATE}-`)
  const server = await startEmbedded({ dataDir: making, log: createLog('silent'), settings: { fsync: 'off' } })
  await migrateAll(server.url)
  await server.stop()
  try {
    renameSync(making, TEMPLATE)
  } catch (error) {
    // Another process has made it meanwhile.
    if (!existsSync(TEMPLATE)) throw error
  }
}

/** A primary with a migrated database `rookery`. `remove` deletes its files and those of its standby. */
export async function primary(): Promise<{ node: Node; folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-pg-'))
  const dir = join(folder, 'a')
  await copyCluster(dir)
  const node = await startNode(dir, { wal_level: 'replica' })
  return { node, folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A synchronous standby: from now on the primary acknowledges only writes that the standby has, too. */
export async function standby(of: Node, folder: string): Promise<Node> {
  const dir = join(folder, 'b')
  const session = new pg.Client(connectionTo(of.socketDir, 'postgres'))
  await session.connect()
  await session.query(`select pg_backup_start('standby', true)`)
  cpSync(of.clusterDir, join(dir, 'postgres'), {
    recursive: true,
    filter: (source) => !/postmaster\.(pid|opts)$/.test(source),
  })
  const { rows } = await session.query('select labelfile from pg_backup_stop(false)')
  await session.end()
  writeFileSync(join(dir, 'postgres/backup_label'), rows[0].labelfile)
  writeFileSync(join(dir, 'postgres/standby.signal'), '')
  const node = await startNode(dir, {
    primary_conninfo: `host=${of.socketDir} port=5432 user=rookery`,
    // Until the standby is connected again, the primary acknowledges nothing.
    wal_retrieve_retry_interval: '100ms',
  })
  await of.query(`alter system set synchronous_standby_names = '*'`)
  await of.query('select pg_reload_conf()')
  return node
}

export async function front(first: Node): Promise<Front> {
  let target = first
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const [node, onward] = [target, connect(socketFile(target.socketDir))]
    const isCurrent = (): boolean => target === node
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.once('close', () => open.delete(one) && isCurrent() && other.destroy())
      one.on('data', (bytes) => isCurrent() && other.write(bytes))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (node) => void (target = node),
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
