// Lists of blocks: files, and lists at an address that are read every day.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  answerListChanges,
  cleanUp,
  fetchBlockList,
  importDomainBlocks,
  subscribeToBlockList,
  unsubscribeFromBlockList,
  updateBlockList,
} from '../support/acts.ts'
import { estimateBlock, parseDomainList } from '../support/internals.ts'
import { stage } from '../support/stage.ts'
import { remoteAuthor } from '../support/timelines.ts'
import { startSite } from '../support/website.ts'

const { server } = await stage()
const admin = await server.person('admin', { role: ['manage_federation'] })
const ada = await server.person('ada')
const site = await startSite()
after(() => site.stop())

const blocks = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await admin.get('/api/v1/admin/domain_blocks')).map((block: any) => [block.domain, block.severity]),
  )
const states = async (id: string): Promise<Record<string, string>> => {
  const { rows } = await server.database.raw(
    'select domain, state from block_list_entries where block_list_id = $1 order by domain',
    [id],
  )
  return Object.fromEntries(rows.map(({ domain, state }: any) => [domain, state]))
}
const listRow = async (id: string): Promise<any> =>
  (await server.database.raw('select error, etag, skipped_count from block_lists where id = $1', [id])).rows[0]
const serve = (path: string, body: string, headers: Record<string, string> = {}): string =>
  site.serve(path, { body, type: 'text/csv', headers })
const subscribe = async (url: string, mode: string): Promise<string> => {
  const id = await subscribeToBlockList(server.ctx, admin.id, { title: '', url, mode, severity: 'suspend' })
  await server.drain()
  if (mode === 'apply') {
    assert.deepEqual([...new Set(Object.values(await states(id)))], ['proposed'], 'the first content waits')
    await answerListChanges(server.ctx, admin.id, id, { domains: Object.keys(await states(id)), accept: true })
    await server.drain()
  }
  return id
}
const refresh = async (listId: string): Promise<void> => {
  await fetchBlockList(server.ctx, { listId })
  await server.drain()
}
const clear = async (): Promise<void> => {
  await server.database.raw('delete from domain_blocks')
  await server.database.raw('delete from block_lists')
}

test("files in Mastodon's format, in plain text and with mistakes are read line by line", () => {
  const mastodon = parseDomainList(
    server.ctx,
    '\uFEFF#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\r\nA.test,silence,TRUE,False,"Spam, ""lots""",true\r\n*.b.test,suspend,False,False,,False\r\n',
  )
  assert.deepEqual(mastodon?.problems, [])
  assert.deepEqual(mastodon?.drafts[0], {
    domain: 'a.test',
    severity: 'silence',
    reject_media: true,
    reject_reports: false,
    obfuscate: true,
    public_comment: 'Spam, "lots"',
    private_comment: null,
  })
  assert.equal(mastodon?.drafts[1]?.domain, 'b.test')
  const plain = parseDomainList(server.ctx, `# a list\n\nb.test\na b\n${server.domain}\nb.test\nlocal\n`, 'noop')
  assert.deepEqual(
    plain?.drafts.map(({ domain, severity }) => [domain, severity]),
    [['b.test', 'noop']],
  )
  assert.deepEqual(
    plain?.problems.map(({ line, problem }) => [line, problem]),
    [
      [4, 'domain_invalid'],
      [5, 'domain_own'],
      [7, 'domain_invalid'],
    ],
  )
  assert.equal(parseDomainList(server.ctx, 'domain,severity\nx.test,ban\n')?.problems[0]?.problem, 'severity_unknown')
  assert.equal(parseDomainList(server.ctx, 'domain\n"x.test\n'), null)
  const many = Array.from({ length: 20_005 }, (_, i) => `d${i}.test`).join('\n')
  const bounded = parseDomainList(server.ctx, many)
  assert.deepEqual([bounded?.drafts.length, bounded?.problemCount], [20_000, 5])
})

test('an import adds blocks and makes others stricter, unless it should replace them', async () => {
  await clear()
  await admin.post('/api/v1/admin/domain_blocks', { domain: 'strict.test', severity: 'suspend' })
  await admin.post('/api/v1/admin/domain_blocks', { domain: 'weak.test', severity: 'noop', private_comment: 'mine' })
  const drafts =
    parseDomainList(server.ctx, 'domain,severity\nstrict.test,silence\nweak.test,silence\nnew.test,suspend\n')
      ?.drafts ?? []
  assert.equal(await importDomainBlocks(server.ctx, admin.id, drafts, 'merge'), 2)
  assert.deepEqual(await blocks(), { 'new.test': 'suspend', 'weak.test': 'silence', 'strict.test': 'suspend' })
  assert.equal(await importDomainBlocks(server.ctx, admin.id, drafts, 'merge'), 0, 'twice changes nothing')
  assert.equal(await importDomainBlocks(server.ctx, admin.id, drafts, 'overwrite'), 1)
  assert.equal((await blocks())['strict.test'], 'silence')
  const [weak] = (await admin.get('/api/v1/admin/domain_blocks')).filter((block: any) => block.domain === 'weak.test')
  assert.equal(weak.private_comment, 'mine')
})

test('a dry run counts what a block would do', async () => {
  const [eve, sub] = await Promise.all([
    remoteAuthor(server, 'eve', 'count.test'),
    remoteAuthor(server, 'sub', 'a.count.test'),
  ])
  await server.database.raw(`insert into peers (domain) values ('a.count.test') on conflict do nothing`)
  await Promise.all([eve.post('one'), sub.post('two')])
  await server.database.raw('insert into follows (account_id, target_account_id) values ($1, $2), ($3, $1)', [
    ada.id,
    eve.id,
    sub.id,
  ])
  await server.database.raw(
    `insert into peer_traffic (domain, day, delivered) values ('count.test', current_date, 3), ('count.test', current_date - 40, 5)`,
  )
  const run = await estimateBlock(server.ctx, ['count.test'])
  assert.deepEqual(
    { ...run, domains: run.domains.toSorted() },
    {
      domains: ['a.count.test', 'count.test'],
      accounts: 2,
      statuses: 2,
      media: 0,
      mediaBytes: 0,
      following: 1,
      followers: 1,
      localAccounts: 1,
      named: [{ id: ada.id, username: 'ada', following: 1, followers: 1 }],
      received: 2,
      delivered: 3,
    },
  )
  assert.equal((await estimateBlock(server.ctx, ['unknown.test'])).accounts, 0)
})

test('a list is applied, and a retraction removes only what the list created', async () => {
  await clear()
  await admin.post('/api/v1/admin/domain_blocks', { domain: 'hand.test', severity: 'silence' })
  const url = serve(
    '/apply.csv',
    'domain,severity,reject_media\nhand.test,suspend,\none.test,suspend,\ntwo.test,silence,\nshared.test,noop,true\n',
    {
      etag: '"1"',
    },
  )
  const id = await subscribe(url, 'apply')
  const other = await subscribe(serve('/other.csv', 'domain,severity\nshared.test,silence\n'), 'apply')
  assert.deepEqual(await blocks(), {
    'hand.test': 'silence',
    'one.test': 'suspend',
    'two.test': 'silence',
    'shared.test': 'silence',
  })
  const rejectsMedia = async (domain: string): Promise<boolean> =>
    (await admin.get('/api/v1/admin/domain_blocks')).find((block: any) => block.domain === domain).reject_media
  assert.equal(await rejectsMedia('shared.test'), true, 'a block does what all lists ask for')
  const [two] = (await admin.get('/api/v1/admin/domain_blocks')).filter((block: any) => block.domain === 'two.test')
  await admin.send('PUT', `/api/v1/admin/domain_blocks/${two.id}`, { json: { public_comment: 'changed by hand' } })
  serve('/apply.csv', 'domain,severity\nthree.test,noop\n')
  await refresh(id)
  assert.deepEqual(await blocks(), {
    'hand.test': 'silence',
    'two.test': 'silence',
    'shared.test': 'silence',
    'three.test': 'noop',
  })
  assert.equal(await rejectsMedia('shared.test'), false)
  const [three] = (await admin.get('/api/v1/admin/domain_blocks')).filter((block: any) => block.domain === 'three.test')
  await admin.send('DELETE', `/api/v1/admin/domain_blocks/${three.id}`)
  await refresh(id)
  assert.deepEqual(await states(id), { 'three.test': 'declined' })
  assert.equal((await blocks())['three.test'], undefined, 'what an administrator ended does not come back')
  await unsubscribeFromBlockList(server.ctx, admin.id, other)
  assert.deepEqual(await blocks(), { 'hand.test': 'silence', 'two.test': 'silence' })
})

test('with "ask first", every change waits for an answer', async () => {
  await clear()
  const id = await subscribe(serve('/ask.txt', 'one.test\ntwo.test\nthree.test\n'), 'ask')
  assert.deepEqual(await blocks(), {})
  const answer = (domains: string[], accept: boolean): Promise<number> =>
    answerListChanges(server.ctx, admin.id, id, { domains, accept })
  assert.equal(await answer(['one.test', 'two.test', 'unknown.test'], true), 2)
  assert.equal(await answer(['one.test'], true), 0, 'once is enough')
  assert.equal(await answer(['three.test'], false), 1)
  assert.deepEqual(await blocks(), { 'one.test': 'suspend', 'two.test': 'suspend' })
  serve('/ask.txt', 'three.test\n')
  await refresh(id)
  assert.deepEqual(await states(id), { 'one.test': 'retracted', 'two.test': 'retracted', 'three.test': 'declined' })
  assert.equal(Object.keys(await blocks()).length, 2)
  await answer(['one.test'], true)
  await answer(['two.test'], false)
  assert.deepEqual(await blocks(), { 'two.test': 'suspend' })
  await unsubscribeFromBlockList(server.ctx, admin.id, id)
  assert.deepEqual(await blocks(), { 'two.test': 'suspend' }, 'it belongs to the administrators')
})

test('the clean-up reads lists that are due, and no others', async () => {
  await clear()
  const due = await subscribe(serve('/due.txt', 'one.test\n'), 'apply')
  await subscribe(serve('/later.txt', 'two.test\n'), 'apply')
  await server.database.raw('update block_lists set next_fetch_at = now() where id = $1', [due])
  serve('/due.txt', 'one.test\nthree.test\n')
  serve('/later.txt', 'four.test\n')
  await cleanUp(server.ctx)
  await server.drain()
  assert.deepEqual(await blocks(), { 'one.test': 'suspend', 'two.test': 'suspend', 'three.test': 'suspend' })
})

test('a list that cannot be read changes nothing, and says why', async () => {
  await clear()
  const url = site.serve('/flaky', ({ headers }) =>
    headers['if-none-match'] === '"1"'
      ? { status: 304, body: '' }
      : { body: 'one.test\nnot a domain\n', type: 'text/plain', headers: { etag: '"1"' } },
  )
  const id = await subscribe(url, 'apply')
  assert.deepEqual(await listRow(id), { error: null, etag: '"1"', skipped_count: 1 })
  await refresh(id)
  assert.equal((await listRow(id)).error, null)
  for (const [served, error] of [
    [{ body: '', type: 'text/plain' }, 'empty'],
    [{ body: 'domain\n"x', type: 'text/csv' }, 'malformed'],
    [{ status: 403, body: 'no' }, 'refused'],
    [{ status: 404, body: '' }, 'not_found'],
    [{ status: 500, body: '' }, 'unreachable'],
    [{ body: 'x'.repeat(2 * 1024 * 1024 + 1), type: 'text/plain' }, 'too_large'],
  ] as const) {
    site.serve('/flaky', served)
    await refresh(id)
    assert.equal((await listRow(id)).error, error)
    assert.deepEqual(await blocks(), { 'one.test': 'suspend' }, error)
  }
  for (const bad of ['not an address', 'ftp://x.test/a', url])
    await assert.rejects(
      subscribeToBlockList(server.ctx, admin.id, { title: '', url: bad, mode: 'ask', severity: 'suspend' }),
      /url/i,
      bad,
    )
})

test('new settings of a list apply to the content that is being read', async () => {
  await clear()
  const settings = { title: 'Ours', mode: 'ask', severity: 'silence' }
  const subscribed = Promise.withResolvers<string>()
  const url = site.serve('/changing', async ({ headers }) => {
    if (headers['if-none-match'] === '"1"') return { status: 304, body: '' }
    await updateBlockList(server.ctx, admin.id, await subscribed.promise, settings)
    return { body: 'one.test\n', type: 'text/plain', headers: { etag: '"1"' } }
  })
  subscribed.resolve(await subscribeToBlockList(server.ctx, admin.id, { ...settings, url, severity: 'suspend' }))
  await server.drain()
  const { rows } = await server.database.raw('select domain, severity from block_list_entries')
  assert.deepEqual(rows, [{ domain: 'one.test', severity: 'silence' }])
})

test('a list that is unfollowed while it is read leaves no entries', async () => {
  await clear()
  const subscribed = Promise.withResolvers<string>()
  const url = site.serve('/leaving', async () => {
    await unsubscribeFromBlockList(server.ctx, admin.id, await subscribed.promise)
    return { body: 'one.test\n', type: 'text/plain' }
  })
  const settings = { title: '', mode: 'ask', severity: 'suspend', url }
  subscribed.resolve(await subscribeToBlockList(server.ctx, admin.id, settings))
  await server.drain()
  assert.deepEqual((await server.database.raw('select domain from block_list_entries')).rows, [])
  const { rows } = await server.database.raw(
    `select state from pgboss.job where name = 'moderation.fetch-list' and state in ('retry', 'failed')`,
  )
  assert.deepEqual(rows, [])
})
