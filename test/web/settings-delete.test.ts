import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { blankProfile, RETAINED, UNREFERENCED } from '../support/internals.ts'
import { failStatement } from '../support/faults.ts'
import { type Browser, type Page, signedIn } from '../support/forms.ts'
import { imageFile } from '../support/images.ts'
import { bringForward } from '../support/jobs.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server } = await stage()

const PATH = '/settings/delete'

const submit = async (tab: Browser, username: string, password: string): Promise<Page> =>
  tab.submit(await tab.get(PATH), { username, current_password: password }, { action: PATH })

test('deleting an account requires its password and username, is immediate, and reserves the username', async () => {
  const [ada, bob] = [await server.person('ada'), await server.person('bob')]
  await bob.post(`/api/v1/accounts/${ada.id}/follow`)
  const post = await ada.post('/api/v1/statuses', { status: 'Here I was' })
  await bob.post(`/api/v1/statuses/${post.id}/favourite`)
  const tab = await signedIn(server, ada)
  assert.match((await submit(tab, 'ada', 'wrong')).text, /not your current password[^]*name="username" value="ada"/)
  assert.match((await submit(tab, 'bob', ada.password)).text, /not your username/)
  assert.equal((await ada.send('GET', '/api/v1/accounts/verify_credentials')).status, 200)

  const done = await submit(tab, '@ADA', ada.password)
  assert.match(done.text, /Your account is deleted/)
  assert.equal((await ada.send('GET', '/api/v1/accounts/verify_credentials')).status, 401)
  assert.match((await tab.get('/settings')).location, /^\/auth\/sign_in/)
  assert.equal((await bob.send('GET', `/api/v1/statuses/${post.id}`)).status, 404)
  assert.equal((await bob.get(`/api/v1/accounts/${bob.id}`)).following_count, 0)
  assert.equal((await server.send('GET', '/@ada', { headers: { accept: 'text/html' } })).status, 410)
  assert.match((await signedIn(server, ada).then((other) => other.get('/settings'))).location, /^\/auth\/sign_in/)
  const again = await tab.submit(
    await tab.get('/auth/sign_up'),
    {
      'user[username]': 'Ada',
      'user[email]': 'new@mail.test',
      'user[password]': 'long enough',
      'user[agreement]': '1',
    },
    { action: '/auth/sign_up' },
  )
  assert.match(again.text, /Username has already been taken/)
})

test('a deletion that fails leaves the account and its session, and succeeds when it is repeated', async () => {
  const ivy = await server.person('ivy')
  const tab = await signedIn(server, ivy)
  failStatement('delete from users', '55P03')
  assert.equal((await submit(tab, 'ivy', ivy.password)).status, 503)
  assert.equal((await tab.get('/settings')).location, '/settings')
  assert.match((await submit(tab, 'ivy', ivy.password)).text, /Your account is deleted/)
})

test('the files of a deleted account go, even when the file store fails at that moment', async (t) => {
  const mia = await server.person('mia')
  const form = new FormData()
  form.set('avatar', await imageFile())
  await mia.send('PATCH', '/api/v1/accounts/update_credentials', { form })
  const { pathname } = new URL((await mia.get(`/api/v1/accounts/${mia.id}`)).avatar)
  const avatar = join(server.ctx.config.dataDir, pathname)
  const failing = t.mock.method(server.ctx.files, 'delete', () => Promise.reject(new Error('the disk is gone')))
  const done = await submit(await signedIn(server, mia), 'mia', mia.password)
  assert.match(done.text, /Your account is deleted/)
  await eventually(async () => failing.mock.callCount() > 0)
  assert.ok(existsSync(avatar))
  failing.mock.restore()
  await bringForward(server, 'files.delete')
  await eventually(async () => !existsSync(avatar))
})

/** Every column that refers to accounts or users, by foreign key or by its name. */
async function columns(): Promise<{ table: string; column: string; target: string | null; rule: string | null }[]> {
  const { rows } = await server.database.raw(`
    select t.relname as table, a.attname as column, r.relname as target, c.confdeltype::text as rule
    from pg_class t join pg_namespace n on n.oid = t.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint c on c.conrelid = t.oid and c.contype = 'f' and c.conkey = array[a.attnum]
    left join pg_class r on r.oid = c.confrelid
    where t.relkind in ('r', 'p') and not t.relispartition and (r.relname in ('accounts', 'users') or a.attname in ('account_id', 'user_id', 'owner_id', 'target_account_id', 'from_account_id'))
    order by 1, 2`)
  return rows
}

test('every table that refers to accounts is cleaned up when they are deleted', async () => {
  for (const { table, column, target, rule } of await columns()) {
    const name = `${table}.${column}`
    if (target === null)
      assert.ok((UNREFERENCED as readonly string[]).includes(table), `${name} has no foreign key and is not listed`)
    else assert.match(rule ?? '', /^[cn]$/, `${name} must cascade or become null when ${target} are deleted`)
  }
})

/** What the row of a deleted account may still say, apart from `blankProfile`: who it was, where it was, and what was decided. */
const STAYING = `id username domain uri url created_at fetched_at purge_at purged_at memorial trendable
  silenced_at silenced_by_domain sensitized_at suspended_at suspension_origin inbox_url shared_inbox_url outbox_url
  followers_url following_url devices_url featured_url featured_tags_url featured_collections_url avatar_remote_url
  header_remote_url hide_collections show_media show_media_replies show_featured feature_policy`.split(/\s+/)
/** Deletion empties them, while suspension does not. */
const EMPTIED = ['also_known_as', 'moved_to_id']

test('every column of a profile is blank when the account is deleted, or known to stay', async () => {
  const { rows } = await server.database.raw(
    `select column_name from information_schema.columns where table_schema = 'public' and table_name = 'accounts'`,
  )
  const known = [...STAYING, ...EMPTIED, ...Object.keys(blankProfile)]
  assert.deepEqual(rows.map(({ column_name }) => String(column_name)).toSorted(), known.toSorted())
})

test('a deleted account that used every feature leaves no rows', async () => {
  const [zoe, yan] = [await server.person('zoe'), await server.person('yan')]
  const far = await remoteAccount(server, 'far')
  const post = await zoe.post('/api/v1/statuses', { status: 'Hello @yan #tag' })
  const theirs = await yan.post('/api/v1/statuses', { status: 'Hello @zoe', visibility: 'direct' })
  const open = await yan.post('/api/v1/statuses', { status: 'For all' })
  for (const [who, path] of [
    [zoe, `accounts/${yan.id}/follow`],
    [yan, `accounts/${zoe.id}/follow`],
    [zoe, `accounts/${far}/mute`],
    [zoe, `statuses/${open.id}/favourite`],
    [zoe, `statuses/${open.id}/bookmark`],
    [zoe, `statuses/${open.id}/reblog`],
    [yan, `statuses/${post.id}/reblog`],
    [zoe, `statuses/${post.id}/pin`],
    [zoe, `statuses/${theirs.id}/mute`],
    [yan, `accounts/${zoe.id}/pin`],
  ] as const)
    await who.post(`/api/v1/${path}`)
  await zoe.post(`/api/v1/accounts/${yan.id}/note`, { comment: 'a friend' })
  await zoe.post('/api/v1/markers', { home: { last_read_id: post.id } })
  await zoe.get('/api/v1/timelines/home')
  const list = await zoe.post('/api/v1/lists', { title: 'Friends' })
  await zoe.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [yan.id] })
  await zoe.post('/api/v1/domain_blocks', { domain: 'bad.test' })
  const tab = await signedIn(server, zoe)
  await tab.get('/settings/two_factor/app')
  await server.drain()
  await submit(tab, 'zoe', zoe.password)
  await server.drain()
  for (const { table, column, target } of await columns()) {
    if (RETAINED.has(table) || (table === 'accounts' && column === 'id')) continue
    const id = target === 'users' || column === 'user_id' ? zoe.userId : zoe.id
    const { rows } = await server.database.raw(`select 1 from ${table} where ${column} = $1 limit 1`, [id])
    assert.equal(rows.length, 0, `${table}.${column}`)
  }
  assert.equal((await yan.get(`/api/v1/statuses/${open.id}`)).favourites_count, 0)
  assert.equal((await yan.get(`/api/v1/statuses/${open.id}`)).reblogs_count, 0)
  const me = await yan.get('/api/v1/accounts/verify_credentials')
  assert.deepEqual([me.followers_count, me.following_count], [0, 0])
})
