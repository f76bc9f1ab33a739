// bin/rookery with and without a running server.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { eraseAgain } from '../support/acts.ts'
import { failStatement } from '../support/faults.ts'
import { mailsIn } from '../support/mail.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually, type TestServer } from '../support/server.ts'
import { sharedDatabases } from './command-line.ts'
import { copyCluster } from './postgres-cluster.ts'
import { house, type House } from './server-process.ts'
import { countPostgres, postgresGone, root, type Run } from './run-program.ts'

let here: House
let server: Run
/** Created before the server started. */
let kim: { token: string }
/** Of the commands beside the server: undefined before its start and after its end, when each opens its own. */
let databases: ReturnType<typeof sharedDatabases> | undefined

before(async () => {
  here = await house({ REGISTRATIONS_MODE: '' })
  await copyCluster(here.dataDir)
  kim = await create('kim', '--approved', '--token', 'read')
  server = await here.start()
  databases = sharedDatabases(here.env)
})
after(async () => {
  await databases?.close()
  server?.kill('SIGTERM')
  await server?.ended
  here.remove()
})

/** Runs a command that must succeed, and returns its output. */
async function rookery(...words: string[]): Promise<string> {
  const { status, output } = await here.command(words, {}, databases?.of)
  assert.equal(status, 0, output)
  return output
}

/** As `rookery`, with --json: returns the parsed output. */
const asked = async (...words: string[]): Promise<any> => JSON.parse(await rookery(...words, '--json'))

/** Runs a command that must fail with this exit status, and returns the lines of its output. */
async function refusal(status: number, ...words: string[]): Promise<string[]> {
  const command = await here.command(words, {}, databases?.of)
  assert.equal(command.status, status, command.output)
  return command.output.trim().split('\n')
}

const create = (name: string, ...more: string[]): Promise<any> =>
  asked(
    'accounts',
    'create',
    name,
    '--email',
    `${name}@localhost`,
    '--password',
    'correct horse battery',
    '--confirmed',
    ...more,
  )

const whoIs = (token: string): ReturnType<House['call']> =>
  here.call('GET', '/api/v1/accounts/verify_credentials', token)

test('accounts create returns a token that works at once', async () => {
  const begun = performance.now()
  const command = here.rookery(
    'accounts',
    'create',
    'ada',
    '--email',
    'admin@localhost',
    '--password',
    'correct horse',
    '--role',
    'owner',
    '--confirmed',
    '--approved',
    '--token',
    'read write follow push admin:read admin:write',
    '--json',
  )
  assert.equal(await command.ended, 0, command.output())
  const ada = JSON.parse(command.output())
  const took = performance.now() - begun
  // A third of a second on an idle machine; other tests run at the same time.
  assert.ok(took < 40_000, `it took ${Math.round(took)} ms`)
  assert.deepEqual(
    { ...ada, id: null, token: null },
    {
      id: null,
      username: 'ada',
      email: 'admin@localhost',
      role: 'owner',
      token: null,
      scopes: ['read', 'write', 'follow', 'push', 'admin:read', 'admin:write'],
    },
  )
  const { status, json } = await whoIs(ada.token)
  assert.equal(status, 200)
  assert.equal(json.id, ada.id)
  assert.equal(json.role.name, 'Owner')
  const app = await here.call('GET', '/api/v1/apps/verify_credentials', ada.token)
  assert.equal(app.status, 200)
  assert.equal((await here.call('POST', '/api/v1/statuses', ada.token, { status: 'Hello' })).status, 200)
})

test('accounts create without --password generates and prints one, as text and as JSON', async () => {
  const text = await rookery('accounts', 'create', 'bob', '--email', 'bob@localhost', '--confirmed', '--token', 'read')
  const [created, password, token] = text.trim().split('\n')
  assert.equal(created, `Created @bob@${here.domain}.`)
  assert.match(password ?? '', /^Password: \S{20}$/)
  assert.equal((await whoIs(token?.replace('Access token: ', '') ?? '')).json.username, 'bob')
  const cid = await asked('accounts', 'create', 'cid', '--email', 'cid@localhost', '--confirmed')
  assert.match(cid.password, /^\S{20}$/)
  assert.equal(cid.token, undefined)
})

test('accounts are created and deleted as a whole, or not at all', async () => {
  const [name, email] = ['wes', 'wes@localhost']
  for (const statement of ['insert into oauth_tokens', 'insert into audit_log']) {
    failStatement(statement, '55P03')
    const [line] = await refusal(1, 'accounts', 'create', name, '--email', email, '--confirmed', '--token', 'read')
    assert.match(line ?? '', /temporary problem .*please try again \(injected\)$/)
  }
  const { token } = await create(name, '--token', 'read')
  failStatement('insert into audit_log', '55P03')
  await refusal(1, 'accounts', 'delete', name, '--yes')
  assert.equal((await whoIs(token)).status, 200)
  await rookery('accounts', 'delete', name, '--yes')
})

test('the token of an unconfirmed account is refused until the account is confirmed, for which a mail is sent', async () => {
  const dee = await asked('accounts', 'create', 'dee', '--email', 'dee@localhost', '--token', 'read')
  assert.equal((await whoIs(dee.token)).status, 403)
  const mail = await eventually(async () => (await mailsIn(here.dataDir)).find(({ to }) => to === 'dee@localhost'))
  const path = /(\/auth\/confirmation\?\S+)/.exec(mail.text)?.[1]
  assert.ok((await here.call('GET', path ?? '')).status < 400)
  await rookery('accounts', 'modify', 'dee', '--confirm')
  await eventually(async () => (await whoIs(dee.token)).status === 200)
})

test('commands that cannot be carried out print one line and exit with status 1', async () => {
  const eve = ['accounts', 'create', 'eve', '--email', 'eve@localhost']
  const cases: [string[], RegExp][] = [
    [
      ['accounts', 'create', 'ADA', '--email', 'other@localhost'],
      /Validation failed: Username has already been taken$/,
    ],
    [
      ['accounts', 'create', 'eve', '--email', 'Admin@localhost'],
      /Validation failed: E-mail address has already been taken$/,
    ],
    [
      ['accounts', 'create', 'e v e', '--email', 'eve@localhost'],
      /Validation failed: Username must contain only letters/,
    ],
    [['accounts', 'create', 'eve', '--email', 'no address'], /Validation failed: E-mail address is invalid$/],
    [[...eve, '--password', 'short'], /Validation failed: Password is too short/],
    [[...eve, '--token', 'read admin:read'], /admin scopes are for /],
    [['accounts', 'modify', 'missing', '--approve'], /There is no account named missing here\./],
    [['accounts', 'delete', 'missing', '--yes'], /There is no account named missing here\./],
    [['accounts', 'reset-password', 'missing'], /There is no account named missing here\./],
    [['accounts', 'modify', 'bob', '--email', 'admin@localhost'], /E-mail address has already been taken$/],
  ]
  await Promise.all(
    cases.map(async ([words, expected]) => {
      const [line = '', ...more] = await refusal(1, ...words)
      assert.deepEqual(more, [])
      assert.match(line, /^rookery: /)
      assert.match(line, expected)
    }),
  )
  assert.equal((await asked('accounts', 'list')).length, 5)
})

test('wrong usage prints what is wrong, points to --help and exits with status 2', async () => {
  const wrong: string[][] = [
    ['dance'],
    ['accounts'],
    ['accounts', 'dance'],
    ['accounts', 'create'],
    ['accounts', 'create', 'eve'],
    ['accounts', 'create', 'eve', 'too many', '--email', 'eve@localhost'],
    ['accounts', 'create', 'eve', '--email', 'eve@localhost', '--role', 'king'],
    ['accounts', 'create', 'eve', '--email', 'eve@localhost', '--token', 'read dance'],
    ['accounts', 'create', 'eve', '--e-mail', 'eve@localhost'],
    ['accounts', 'modify', 'ada'],
    ['accounts', 'modify', 'ada', '--enable', '--disable'],
    ['accounts', 'modify', 'ada', '--email', 'no address'],
    ['accounts', 'delete', 'ada'],
    ['accounts', 'list', '--limit', 'many'],
    ['accounts', 'list', '--limit', '99999999999999999999'],
    ['settings', 'get', 'weather'],
    ['settings', 'set', 'site_title'],
    ['settings', 'set', 'profile_directory', 'perhaps'],
    ['settings', 'set', 'registrations_mode', 'perhaps'],
  ]
  const answers = await Promise.all(wrong.map((words) => refusal(2, ...words)))
  const helps = answers.map((lines) => /^rookery: [^\n]+\nSee: rookery (.*)--help$/.exec(lines.join('\n'))?.[1]?.trim())
  const closest = wrong.map(([group, name]) =>
    group === 'dance' ? '' : name === undefined || name === 'dance' ? group : `${group} ${name}`,
  )
  assert.deepEqual(helps, closest)
})

test('every command has a help text', async () => {
  const overview = await rookery('--help')
  const names = [...overview.matchAll(/^ {2}([a-z][a-z-]*(?: [a-z][a-z-]+)?)/gm)].map(([, name]) => name as string)
  for (const name of [
    'accounts create',
    'settings registrations',
    'domains block',
    'media usage',
    'backup',
    'db status',
  ])
    assert.ok(names.includes(name), name)
  const helps = await Promise.all(names.map((name) => rookery(...name.split(' '), '--help')))
  for (const help of helps) assert.match(help, /^[^\n]+\n\nUsage: rookery [^\n]+\n\nOptions:\n[\s\S]*--help/)
  assert.match(await rookery('accounts', '--help'), /accounts create[\s\S]*accounts list/)
  assert.equal(await rookery('help', 'db', 'status'), await rookery('db', 'status', '--help'))
  assert.equal(await rookery(), overview)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  assert.ok((await rookery('version')).startsWith(`Rookery ${version} `))
  assert.deepEqual(Object.keys(await asked('version')), ['version', 'mastodon', 'node'])
  assert.deepEqual(await asked('--version'), await asked('version'))
})

test('accounts modify takes effect on the running server: role, e-mail address, disabling and enabling', async () => {
  const fay = await create('fay', '--token', 'read write')
  assert.equal((await whoIs(fay.token)).status, 200)
  const changed = await asked('accounts', 'modify', '@fay', '--role', 'moderator', '--email', 'fay@elsewhere.test')
  assert.deepEqual([changed.role, changed.email], ['moderator', 'fay@elsewhere.test'])
  await eventually(async () => (await whoIs(fay.token)).json.role?.name === 'Moderator')
  await rookery('accounts', 'modify', 'fay', '--disable')
  await eventually(async () => (await whoIs(fay.token)).status === 403)
  await rookery('accounts', 'modify', 'fay', '--enable')
  await eventually(async () => (await whoIs(fay.token)).status === 200)
})

test('accounts reset-password revokes the tokens of the account', async () => {
  const gus = await create('gus', '--token', 'read')
  const { password } = await asked('accounts', 'reset-password', 'gus')
  assert.notEqual(password, gus.password)
  await eventually(async () => (await whoIs(gus.token)).status === 401)
})

test('settings are read and changed while the server runs', async () => {
  await rookery('settings', 'set', 'site_title', 'Our place')
  await eventually(async () => (await here.call('GET', '/api/v2/instance')).json.title === 'Our place')
  assert.equal(await rookery('settings', 'get', 'site_title'), 'Our place\n')
  assert.deepEqual(await asked('settings', 'set', 'languages', 'de, en'), { languages: ['de', 'en'] })
  const all = await asked('settings', 'get', 'all')
  assert.deepEqual([all.site_title, all.languages], ['Our place', ['de', 'en']])
  await rookery('settings', 'set', 'registrations_mode', 'approved')
  await eventually(
    async () => (await here.call('GET', '/api/v2/instance')).json.registrations.approval_required === true,
  )
  const hal = await create('hal', '--token', 'read')
  assert.equal((await whoIs(hal.token)).status, 403)
  await rookery('accounts', 'modify', 'hal', '--approve')
  await eventually(async () => (await whoIs(hal.token)).status === 200)
  const ian = await create('ian', '--approved', '--token', 'read')
  assert.equal((await whoIs(ian.token)).status, 200)
})

test('accounts delete removes posts, follows and favourites, and sends a Delete to other servers', async (t) => {
  const [ivy, joe] = [
    await create('ivy', '--approved', '--token', 'read write'),
    await create('joe', '--approved', '--token', 'read write'),
  ]
  const { json: post } = await here.call('POST', '/api/v1/statuses', ivy.token, { status: 'I was here' })
  const { json: original } = await here.call('POST', '/api/v1/statuses', joe.token, { status: 'I stay' })
  await here.call('POST', `/api/v1/accounts/${joe.id}/follow`, ivy.token)
  await here.call('POST', `/api/v1/statuses/${original.id}/favourite`, ivy.token)
  await here.call('POST', `/api/v1/statuses/${original.id}/reblog`, ivy.token)
  await here.call('POST', '/api/v1/statuses', ivy.token, { status: '@joe yes', in_reply_to_id: original.id })
  const counts = async (): Promise<unknown> => {
    const [{ json: account }, { json: status }] = await Promise.all([
      here.call('GET', `/api/v1/accounts/${joe.id}`),
      here.call('GET', `/api/v1/statuses/${original.id}`),
    ])
    return [account.followers_count, status.favourites_count, status.reblogs_count, status.replies_count]
  }
  assert.deepEqual(await counts(), [1, 1, 1, 1])

  const backend = await here.open()
  t.after(() => backend.close())
  await remoteAccount(backend as unknown as TestServer, 'zoe', 'far.test')
  assert.match(await rookery('accounts', 'delete', 'ivy', '--yes'), /^Deleted @ivy\./)
  assert.equal((await here.call('GET', `/api/v1/accounts/${ivy.id}`)).status, 410)
  assert.equal(
    (await here.call('GET', '/users/ivy', null, undefined, { accept: 'application/activity+json' })).status,
    410,
  )
  assert.equal((await here.call('GET', `/.well-known/webfinger?resource=acct:ivy@${here.domain}`)).status, 410)
  assert.equal((await here.call('GET', `/api/v1/statuses/${post.id}`)).status, 404)
  await eventually(async () => (await whoIs(ivy.token)).status === 401)
  assert.deepEqual(await counts(), [0, 0, 0, 0])
  assert.match((await refusal(1, 'accounts', 'create', 'ivy', '--email', 'new@localhost')).join(), /already been taken/)
  await eventually(async () => {
    const stored = await backend.ctx.db.many<{ body: string }>(
      sql`select body from outbox_activities where account_id = ${ivy.id}`,
    )
    return stored.some(({ body }) => JSON.parse(body).type === 'Delete')
  })
  const inUse = await refusal(1, 'accounts', 'create', 'joe', '--email', 'new@localhost', '--reattach')
  assert.match(inUse.join(), /already been taken/)
  await backend.ctx.db.run(sql`insert into lists (account_id, title) values (${ivy.id}, 'stored beside the deletion')`)
  const again = await asked(
    'accounts',
    'create',
    'Ivy',
    '--email',
    'new@localhost',
    '--reattach',
    '--confirmed',
    '--approved',
    '--token',
    'read write',
  )
  assert.deepEqual([again.id, again.username], [ivy.id, 'ivy'])
  assert.deepEqual((await here.call('GET', '/api/v1/lists', again.token)).json, [])
  // As the job of the deletion does later.
  await eraseAgain(backend.ctx, { accountId: ivy.id, keepRecords: false })
  const { json: back } = await whoIs(again.token)
  assert.deepEqual([back.acct, back.suspended, back.statuses_count], ['ivy', undefined, 0])
  assert.equal((await here.call('POST', '/api/v1/statuses', again.token, { status: 'I am back' })).status, 200)
  assert.equal((await here.call('GET', `/.well-known/webfinger?resource=acct:ivy@${here.domain}`)).status, 200)
  await rookery('accounts', 'delete', 'ivy', '--yes')
})

test('accounts list returns all accounts in pages', async () => {
  const all = await asked('accounts', 'list')
  assert.equal(all[0].username, 'joe')
  assert.deepEqual([all[0].role, all[0].confirmed, all[0].approved, all[0].disabled], ['user', true, true, false])
  const first = await asked('accounts', 'list', '--limit', '2')
  const rest = await asked('accounts', 'list', '--before', first[1].id)
  assert.deepEqual([...first, ...rest], all)
  assert.match(await rookery('accounts', 'list'), /^NAME +E-MAIL [^\n]+\njoe +joe@localhost +user +active /)
})

test('db status lists the applied migrations, and db migrate applies none again, nor to a database of another version', async () => {
  const status = await asked('db', 'status')
  assert.ok(status.length > 0)
  assert.ok(status.every(({ applied_at }: { applied_at: string | null }) => applied_at !== null))
  assert.deepEqual(await asked('db', 'migrate'), { applied: [] })
  assert.match(await rookery('db', 'status'), /^0001_initial {2}\d{4}-/)
  const { database, close } = await here.open()
  await database.raw(`insert into schema_migrations (id, checksum) values ('9999_next', '')`)
  assert.match((await refusal(1, 'db', 'migrate')).join(), /belongs to a newer Rookery \(migration 9999_next\)/)
  await database.raw(`delete from schema_migrations where id = '9999_next'`)
  await database.raw(`update schema_migrations set checksum = 'x' || checksum where id = '0001_initial'`)
  assert.match((await refusal(1, 'db', 'migrate')).join(), /Migration 0001_initial differs from the one/)
  await database.raw(`update schema_migrations set checksum = substr(checksum, 2) where id = '0001_initial'`)
  await close()
})

test('an unreachable DATABASE_URL is reported in one line, with exit status 1', async () => {
  const lost = await house({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/rookery' })
  const list = lost.rookery('accounts', 'list')
  assert.equal(await list.ended, 1)
  assert.match(list.output(), /^rookery: [^\n]*DATABASE_URL[^\n]*\n$/)
  const { output } = await lost.command(['accounts', 'list'], {
    DATABASE_URL: 'postgresql://ada:a#b@127.0.0.1/rookery',
  })
  assert.match(output, /^rookery: DATABASE_URL is not an address .* password as %23/)
  lost.remove()
})

test('federation budgets lists the limits and the hosts that used them', async () => {
  const { limits, hosts } = await asked('federation', 'budgets', '--hours', '2')
  assert.deepEqual([limits.requests > 0, hosts], [true, []])
  assert.match(await rookery('federation', 'budgets'), /^Per host and hour: \d+ requests/)
  assert.match((await refusal(2, 'federation', 'budgets', '--hours', 'x')).join(' '), /--hours must be a number/)
})

test('commands print in the language of the terminal, and JSON output is the same in all', async () => {
  const german = async (...words: string[]): Promise<string> =>
    (await here.command(words, { LC_ALL: 'de_DE.UTF-8' }, databases?.of)).output
  assert.match(await german('--help'), /^Verwaltet einen Rookery-Server[^]*Aufruf: rookery COMMAND/)
  assert.match(await german('accounts', 'modify', '--help'), /--disable-2fa +Authentisierungs-App/)
  assert.match(
    await german('accounts', 'list', '--hue'),
    /die Option --hue gibt es nicht\nSiehe: rookery accounts list --help/,
  )
  assert.match(await german('accounts', 'modify', 'missing', '--approve'), /kein Konto namens missing/)
  const invalid = await german('accounts', 'create', 'max', '--email', 'no address')
  assert.match(invalid, /^rookery: .*E-Mail-Adresse/)
  assert.match(await german('accounts', 'list'), /^NAME +E-MAIL +ROLLE +STATUS/)
  assert.equal(await german('accounts', 'list', '--json'), await rookery('accounts', 'list', '--json'))
})

test('PostgreSQL does not outlive a killed server; then commands start it and stop it again', async () => {
  assert.equal((await whoIs(kim.token)).json.username, 'kim')
  await databases?.close()
  databases = undefined
  server.kill('SIGKILL')
  await server.ended
  await postgresGone(here.dataDir)
  const beside = here.rookery('accounts', 'list')
  await create('lea')
  assert.equal(await beside.ended, 0, beside.output())
  assert.equal(countPostgres(here.dataDir), 0)
  assert.equal(await asked('settings', 'get', 'site_title'), 'Our place')
})
