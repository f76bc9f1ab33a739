// The audit log and the background jobs.
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { insertFailedJobs } from '../support/admin-pages.ts'
import { sql } from '../support/database.ts'
import { type Page, signedIn } from '../support/forms.ts'
import { createBackup } from '../support/internals.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server } = await stage()
const boss = await server.person('boss', { role: 'owner' })
const warden = await server.person('warden', { role: 'moderator' })
const tab = await signedIn(server, boss)

const failedJobs = (name: string) =>
  server.ctx.db.many<{ id: string; state: string }>(sql`
    select id, state::text from pgboss.job where name = ${name} and (state = 'failed' or output is not null) order by state`)
const auditedJobs = () =>
  server.ctx.db.many<{ action: string; target_label: string; account_id: string; details: { count: number } }>(sql`
    select action, target_label, account_id, details from audit_log where target_type = 'job' order by id`)
/** Ticks the boxes of some jobs and presses a button. */
const press = (page: Page, act: string, fields: Record<string, string>): Promise<Page> => {
  const { action, fields: sent } = page.forms.find((form) => form.action.startsWith('/admin/jobs/change'))!
  return tab.post(action, { csrf_token: sent.csrf_token ?? '', act, ...fields })
}

test('failed jobs are shown with their error, retried and discarded', async () => {
  await insertFailedJobs(server)
  const page = await tab.get('/admin/jobs')
  assert.match(page.text, /connection refused/)
  assert.match(page.text, /greeting failed/)
  assert.doesNotMatch(page.text, /secret@mail\.test/)
  assert.doesNotMatch((await tab.get('/admin/jobs?state=failed')).text, /greeting failed/)
  assert.doesNotMatch((await tab.get('/admin/jobs?name=mail.send')).text, /connection refused/)

  const nothing = await press(page, 'retry', {})
  assert.equal(nothing.status, 422)
  assert.match(nothing.text, /Select at least one/)
  const foreign = await press(page, 'retry', { 'ids[]': 'no id' })
  assert.equal(foreign.status, 422)

  // Closing a poll that does not exist is done at once.
  const [close] = await failedJobs('polls.close')
  assert.match((await press(page, 'retry', { 'ids[]': close!.id })).text, /start within a few seconds/)
  await eventually(async () => (await failedJobs('polls.close')).length === 0)

  const [mail] = await failedJobs('mail.send')
  const question = await press(page, 'discard', { 'ids[]': mail!.id })
  assert.match(question.text, /1 job will be deleted/)
  assert.equal((await failedJobs('mail.send')).length, 1)
  const done = await tab.submit(question, {}, { action: '/admin/jobs/change' })
  assert.match(done.text, /The jobs are discarded/)
  assert.equal((await failedJobs('mail.send')).length, 0)
  assert.deepEqual(await auditedJobs(), [
    { action: 'retry', target_label: 'polls.close', account_id: boss.id, details: { count: 1 } },
    { action: 'discard', target_label: 'mail.send', account_id: boss.id, details: { count: 1 } },
  ])
})

test('all failed jobs of a kind are discarded at once, after a confirmation that counts them', async () => {
  await insertFailedJobs(server)
  await insertFailedJobs(server)
  const page = await tab.get('/admin/jobs?state=failed&name=polls.close')
  const question = await press(page, 'discard', { all: 'matching', name: 'polls.close' })
  assert.match(question.text, /2 jobs will be deleted/)
  const { action } = question.forms.find((form) => form.action.startsWith('/admin/jobs/change'))!
  const rest = await tab.submit(question, {}, { action })
  assert.match(
    rest.text,
    /jobs are discarded[^]*href="\/admin\/jobs\?state=failed"[^]*aria-current="true">polls\.close</,
  )
  assert.equal((await failedJobs('polls.close')).length, 0)
  // Those that will be retried were not chosen.
  assert.equal((await failedJobs('mail.send')).length, 2)
  await server.ctx.db.run(sql`delete from pgboss.job where name = 'mail.send'`)
})

test('the log of a failed job has its data, except for mails', async (t) => {
  const warn = t.mock.method(server.ctx.log, 'warn')
  const logged = (name: string) =>
    eventually(async () => {
      const lines = warn.mock.calls.map(({ arguments: [line] }) => line as unknown as { job?: string; data?: unknown })
      return lines.find(({ job }) => job === name)
    })
  await server.ctx.db.run(sql`
    insert into pgboss.job (name, data, retry_limit, policy) values
      ('media.process', '{"mediaId": "bad id"}', 0, 'standard'),
      ('mail.send', '{"to": "secret@mail.test", "subject": "", "sealed": "broken"}', 0, 'standard')`)
  assert.deepEqual((await logged('media.process')).data, { mediaId: 'bad id' })
  assert.doesNotMatch(JSON.stringify(await logged('mail.send')), /secret@mail\.test/)
})

test('a job that fails for good stays for a week', async () => {
  await server.ctx.db.run(sql`
    insert into pgboss.job (name, data, retry_limit, deletion_seconds, policy)
    values ('media.process', '{"mediaId": "no id"}', 0, 3600, 'standard')`)
  const seconds = await eventually(async () => {
    const row = await server.ctx.db.maybe<{ deletion_seconds: number }>(
      sql`select deletion_seconds from pgboss.job where name = 'media.process' and state = 'failed'`,
    )
    return row?.deletion_seconds
  })
  assert.equal(seconds, 7 * 86_400)
  await server.ctx.db.run(sql`delete from pgboss.job where name = 'media.process'`)
})

test('the audit log is filtered by person, kind, action and day, and paged', async () => {
  await server.ctx.db.run(sql`
    insert into audit_log (account_id, action, target_type, target_id, target_label, details, created_at) values
      (${warden.id}, 'silence', 'account', ${boss.id}, '@first', '{"text": "<b>calm</b>"}', '2026-01-05'),
      (null, 'update', 'settings', null, '@second', '{}', '2026-01-06'),
      (${warden.id}, 'of-the-past', 'of-the-past', '1', '@third', '{}', '2026-01-07')`)
  const shown = async (query: string): Promise<string> =>
    [...(await tab.get(`/admin/audit_log?${query}`)).text.matchAll(/@(first|second|third)</g)]
      .map(([, name]) => name)
      .join(' ')
  const january = 'since=2026-01-01&until=2026-01-31'
  assert.equal(await shown(january), 'third second first')
  assert.equal(await shown(`${january}&staff=${warden.id}`), 'third first')
  assert.equal(await shown(`${january}&staff=command_line`), 'second')
  assert.equal(await shown(`${january}&type=account&action=silence`), 'first')
  assert.equal(await shown(`type=account&target_id=${boss.id}`), 'first')
  assert.equal(await shown('since=2026-01-06&until=2026-01-06'), 'second')
  assert.equal(await shown(`${january}&type=nonsense&staff=x`), '')
  assert.equal(await shown(`since=2026-13-99&${january}`.replace('&since=2026-01-01', '')), 'third second first')
  const page = await tab.get(`/admin/audit_log?${january}`)
  assert.match(page.text, /&lt;b&gt;calm/)
  assert.match((await tab.get('/admin/audit_log?type=nonsense')).text, /No entry matches/)

  await server.ctx.db.run(sql`
    insert into audit_log (action, target_type, target_label, created_at)
    select 'update', 'rule', 'rule ' || n || '.', '2026-02-01' from generate_series(1, 90) n`)
  const labels = ({ text }: Page): string[] => [...text.matchAll(/rule (\d+)\./g)].map(([, n]) => n ?? '')
  const follow = (from: Page, label: string): Promise<Page> => {
    const href = new RegExp(`href="([^"]+)">${label}<`).exec(from.text)?.[1]
    assert.ok(href, label)
    return tab.get(href.replaceAll('&amp;', '&'))
  }
  const first = await tab.get('/admin/audit_log?type=rule')
  assert.deepEqual([labels(first).length, labels(first)[0]], [40, '90'])
  assert.doesNotMatch(first.text, />Newer</)
  const second = await follow(first, 'Older')
  const third = await follow(second, 'Older')
  assert.deepEqual([labels(third)[0], labels(third).at(-1)], ['10', '1'])
  assert.doesNotMatch(third.text, />Older</)
  assert.deepEqual(labels(await follow(third, 'Newer')), labels(second))
})

test('the dashboard shows problems to staff who can fix them', async (t) => {
  const dashboard = async (person: { email: string; password: string }): Promise<string> => {
    const session = await signedIn(server, person)
    return (await session.get('/admin/dashboard')).text
  }
  const disk = (free: number): void => {
    t.mock.method(fs, 'statfs', async () => ({ bsize: 4096, blocks: 10_000_000, bavail: free / 4096 }))
    syncBuiltinESMExports()
  }
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  disk(4096 * 1_000_000)
  const usual = await dashboard(boss)
  assert.doesNotMatch(usual, /left on the disk/)
  assert.match(usual, /has no rules/)
  assert.match(usual, /No mail server is configured/)
  // Figures lead to what they count.
  for (const address of ['accounts?origin=local', 'reports?resolved=1', 'jobs?state=failed', 'instances?state=failing'])
    assert.ok(usual.includes(`href="/admin/${address}"`), address)

  disk(4096 * 100_000)
  assert.match(await dashboard(boss), /Only 390.6 MB are left on the disk/)
  assert.doesNotMatch(await dashboard(warden), /left on the disk|has no rules|No mail server/)

  const { config, files } = server.ctx
  const folder = await fs.mkdtemp(join(tmpdir(), 'rookery-backups-'))
  t.after(() => fs.rm(folder, { recursive: true, force: true }))
  const backUp = (file: string): Promise<unknown> =>
    createBackup(server.database, file, { config, files, withMedia: false })
  assert.doesNotMatch(usual, /[Ll]ast backup/)
  await backUp(join(folder, 'backup.tar'))
  const backedUp = await dashboard(boss)
  assert.match(backedUp, /Last backup/)
  assert.doesNotMatch(backedUp, /The last backup/)
  const age = sql`'"2026-01-02T03:04:05.000Z"'::jsonb`
  await server.ctx.db.run(
    sql`update settings set value = jsonb_set(value, '{made,at}', ${age}) where key = 'last_backup'`,
  )
  assert.match(await dashboard(boss), /The last backup is old \(<time[^>]*>2 Jan 2026/)
  await assert.rejects(backUp(join(folder, 'none/backup.tar')), { name: 'BackupError' })
  assert.match(await dashboard(boss), /The last backup failed .{1,200}bin\/rookery backup/)

  await server.ctx.db.run(sql`insert into rules (text, hint, position) values ('Be kind', '', 1)`)
  assert.doesNotMatch(await dashboard(boss), /has no rules/)
})
