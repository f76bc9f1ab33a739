// Servers that the test files of one process share one after the other. Emptying a server takes a tenth of starting one.
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Config, readConfig } from '../../src/config.ts'
import { clearServerState } from '../../src/context.ts'
import { getSecrets } from '../../src/domain/server/secrets.ts'
import { startServer, type Server } from '../../src/server.ts'
import { createTestDatabase } from './database.ts'
import { watchErrors, type ServerErrors } from './server-errors.ts'

type PooledServer = { server: Server; errors: ServerErrors; stop(): Promise<void> }

/** Each idle server holds some ten connections to PostgreSQL. */
const MAX_IDLE = 6

const idle: { key: string; pooled: PooledServer }[] = []

/**
 * The members of the configuration that a server reads when it needs them, with their variables: servers that differ in nothing
 * else are one in the pool.
 */
const READ_LATE: Partial<Record<keyof Config, readonly string[]>> = {
  authorizedFetch: ['AUTHORIZED_FETCH'],
  dnsServers: ['DNS_SERVERS'],
  donationCampaignsUrl: ['DONATION_CAMPAIGNS_URL'],
  limitedFederation: ['LIMITED_FEDERATION_MODE'],
  oauthPasswordGrant: ['OAUTH_PASSWORD_GRANT'],
  rateLimits: ['RATE_LIMITS'],
  registrationsMode: ['REGISTRATIONS_MODE'],
  singleUserMode: ['SINGLE_USER_MODE'],
  smtp: ['SMTP_SERVER', 'SMTP_PORT', 'SMTP_OPENSSL_VERIFY_MODE'],
  translation: ['DEEPL_API_KEY', 'DEEPL_ENDPOINT'],
  validateResponses: ['VALIDATE_RESPONSES'],
}
const LATE_VARIABLES = Object.values(READ_LATE).flat()

/**
 * A server with these settings and an empty database. `release` empties it and returns it to the pool; with `fresh`, for
 * tests that change the server itself, it stops it. Then it throws if the server logged errors that no test expected.
 */
export async function acquireServer(
  env: NodeJS.ProcessEnv,
  fresh: boolean,
): Promise<{ server: Server; errors: ServerErrors; release(): Promise<void> }> {
  const settings = Object.entries(env).filter(([name]) => !LATE_VARIABLES.includes(name))
  const key = JSON.stringify(settings)
  const index = fresh ? -1 : idle.findIndex((each) => each.key === key)
  const found = idle.splice(index, index < 0 ? 0 : 1)[0]
  if (found) await configure(found.pooled.server, env)
  const pooled = found?.pooled ?? (await start(env))
  const release = async (): Promise<void> => {
    await giveBack()
    pooled.errors.check()
  }
  const giveBack = async (): Promise<void> => {
    // Settings such as DATABASE_URL belong to one test file.
    const isReusable = !fresh && !settings.some(([, value]) => value?.includes('://'))
    if (!isReusable || !(await empty(pooled.server))) return pooled.stop()
    idle.unshift({ key, pooled })
    for (const { pooled: oldest } of idle.splice(MAX_IDLE)) await oldest.stop()
  }
  return { server: pooled.server, errors: pooled.errors, release }
}

const DEFAULTS = {
  BIND: '127.0.0.1',
  // Servers that share a database share it, too.
  SECRET_KEY_BASE: 'a secret for all servers of the tests',
  LOG_LEVEL: process.env.TEST_LOG ?? 'warn',
  // Each connection starts a process and plans its own statements, which is a tenth of the cost of most tests.
  DB_POOL: '3',
  RATE_LIMITS: 'off',
  REGISTRATIONS_MODE: 'open',
  VALIDATE_RESPONSES: 'true',
  ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
}

/** Changes the settings in READ_LATE. */
async function configure({ ctx }: Server, env: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig({ ...DEFAULTS, ...env })
  const changes = Object.entries(config).filter(([name]) => Object.hasOwn(READ_LATE, name))
  Object.assign(ctx.config, Object.fromEntries(changes))
  await clearCaches(ctx)
}

async function start(env: NodeJS.ProcessEnv): Promise<PooledServer> {
  const database = env.DATABASE_URL ? null : await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'rookery-data-'))
  const port = await freePort()
  const server = await startServer(
    readConfig({
      ...DEFAULTS,
      PORT: String(port),
      LOCAL_DOMAIN: `localhost:${port}`,
      DATABASE_URL: database?.url,
      DATA_DIR: dataDir,
      ...env,
    }),
  )
  const errors = watchErrors(server.ctx.log)
  await stopClock(server)
  if (database) await rememberRows(server)
  return {
    server,
    errors,
    async stop() {
      await server.stop()
      await database?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A second server over the same database. */
export async function startTwin({ config }: Server['ctx']): Promise<Server> {
  const twin = await startServer({ ...config, port: await freePort() })
  await stopClock(twin)
  return twin
}

/** Trends and the clean-up run only when a test calls them, not by schedule. */
const stopClock = ({ database }: Server): Promise<unknown> => database.raw('delete from pgboss.schedule')

/** Those that have or had rows: a look into each of the others would cost a plan. */
const USED_TABLES = `select quote_ident(relname) as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`

/** Copies the rows that a server creates at its start, such as its secrets, to the schema `at_start`. */
const rememberRows = async ({ database }: Server): Promise<unknown> =>
  database.raw(`do $$
    declare t text; is_used boolean;
    begin
      create schema at_start;
      for t in ${USED_TABLES} loop
        execute format('select exists (select from %s)', t) into is_used;
        if is_used then execute format('create table at_start.%s as table %s', t, t); end if;
      end loop;
    end $$`)

/** Resets database, files and caches to the state after the start. False when running jobs do not end. */
async function empty({ ctx, database }: Server): Promise<boolean> {
  if (!(await isIdle(database))) return false
  await database.raw(`do $$
    declare t text; columns text;
    begin
      set local session_replication_role = replica;
      delete from pgboss.job;
      for t in ${USED_TABLES} loop
        execute format('delete from %s', t);
      end loop;
      for t in select quote_ident(tablename) from pg_tables where schemaname = 'at_start' loop
        select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
          where attrelid = ('public.' || t)::regclass and attnum > 0 and not attisdropped and attgenerated = '';
        execute format('insert into %s (%s) overriding system value select %s from at_start.%s', t, columns, columns, t);
      end loop;
    end $$`)
  for (const folder of ['files', 'mail', 'tmp']) await emptyFolder(join(ctx.config.dataDir, folder))
  await clearCaches(ctx)
  return true
}

async function clearCaches(ctx: Server['ctx']): Promise<void> {
  clearServerState(ctx)
  await getSecrets(ctx)
}

async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

/** Waits for running jobs; false when they take more than five seconds. Deletes queued jobs, so that none starts meanwhile. */
async function isIdle(database: Server['database']): Promise<boolean> {
  for (const end = Date.now() + 5000; Date.now() < end; await delay(20)) {
    await database.raw(`delete from pgboss.job where state in ('created', 'retry')`)
    const { rows } = await database.raw(`select exists (select from pgboss.job where state = 'active') as busy`)
    if (!(rows[0] as { busy: boolean }).busy) return true
  }
  return false
}

/** The system gives those from 32768 on to other servers and to connections; browsers refuse some low ones. */
const PORTS = { first: 12_000, count: 20_000 }

/** Nothing else takes the port before a server listens on it, and no other server of this test run gets it later. */
export async function freePort(): Promise<number> {
  // Of this run: each process has the same temporary folder.
  const claims = join(tmpdir(), 'ports')
  await mkdir(claims, { recursive: true })
  for (;;) {
    const port = PORTS.first + randomInt(PORTS.count)
    try {
      await writeFile(join(claims, String(port)), '', { flag: 'wx' })
      if (await canListen(port)) return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
