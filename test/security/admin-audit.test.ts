// Every act of staff through the API is in the audit log, with who did it, and none that was refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../support/database.ts'
import { routes } from '../support/internals.ts'
import { moderatedServer } from '../support/moderated-server.ts'
import { stage } from '../support/stage.ts'

const { server } = await stage()
const { owner, moderator, spammer, warned, openReportId } = await moderatedServer(server)

type Entry = { account_id: string; action: string; target_type: string; target_id: string | null; target_label: string }

const lastId = async (): Promise<string> =>
  (await server.ctx.db.one<{ id: string }>(sql`select coalesce(max(id), 0)::text as id from audit_log`)).id
const entriesAfter = (id: string) =>
  server.ctx.db.many<Entry>(sql`
    select account_id, action, target_type, target_id, target_label from audit_log where id > ${id} order by id`)
const idOf = async (path: string): Promise<string> => (await owner.get(path))[0].id
const first = async (statement: ReturnType<typeof sql>): Promise<string> =>
  (await server.ctx.db.one<{ id: string }>(statement)).id

/** A write: its operation, the object, the body, and what the log says about it. In an order in which each is possible. */
type Write = [operation: string, id: string | null, body: object, logged: string]

async function writes(): Promise<Write[]> {
  const accounts = 'POST /api/v1/admin/accounts/:id'
  const pending = await server.person('pending', { approved: false })
  const hopeless = await server.person('hopeless', { approved: false })
  const disabled = await server.person('disabled', { disabled: true } as object)
  await server.ctx.db.run(sql`update users set disabled = true where id = ${disabled.userId}`)
  await server.ctx.db.run(sql`update accounts set sensitized_at = now() where id = ${spammer.id}`)
  const tag = await first(sql`select id from tags where name = 'sale'`)
  const card = await first(sql`select card_id as id from link_trends limit 1`)
  const status = await first(sql`select status_id as id from status_trends limit 1`)
  const publisher = await idOf('/api/v1/admin/trends/links/publishers')
  const reports = 'POST /api/v1/admin/reports/:id'
  const api = '/api/v1/admin'
  return [
    [`${accounts}/approve`, pending.id, {}, 'account approve'],
    [`${accounts}/reject`, hopeless.id, {}, 'account reject'],
    [`${accounts}/enable`, disabled.id, {}, 'account enable'],
    [`${accounts}/unsensitive`, spammer.id, {}, 'account unsensitive'],
    [`${accounts}/unsilence`, warned.id, {}, 'account unsilence'],
    [`PUT ${api}/reports/:id`, openReportId, { category: 'legal' }, 'report update'],
    [`${reports}/unassign`, openReportId, {}, 'report unassign'],
    [`${reports}/assign_to_self`, openReportId, {}, 'report assign'],
    [`${reports}/resolve`, openReportId, {}, 'report resolve'],
    [`${reports}/reopen`, openReportId, {}, 'report reopen'],
    [`${accounts}/action`, spammer.id, { type: 'suspend', report_id: openReportId }, 'account suspend'],
    [`${accounts}/unsuspend`, spammer.id, {}, 'account unsuspend'],
    [`${accounts}/action`, spammer.id, { type: 'suspend' }, 'account suspend'],
    [`DELETE ${api}/accounts/:id`, spammer.id, {}, 'account delete'],
    [`POST ${api}/canonical_email_blocks`, null, { email: 'other@mail.test' }, 'canonical_email_block create'],
    [
      `DELETE ${api}/canonical_email_blocks/:id`,
      await idOf(`${api}/canonical_email_blocks`),
      {},
      'canonical_email_block delete',
    ],
    [`POST ${api}/domain_allows`, null, { domain: 'nice.test' }, 'domain_allow create'],
    [`DELETE ${api}/domain_allows/:id`, await idOf(`${api}/domain_allows`), {}, 'domain_allow delete'],
    [`POST ${api}/domain_blocks`, null, { domain: 'bad.test', severity: 'suspend' }, 'domain_block create'],
    [
      `PUT ${api}/domain_blocks/:id`,
      await idOf(`${api}/domain_blocks`),
      { severity: 'silence' },
      'domain_block update',
    ],
    [`DELETE ${api}/domain_blocks/:id`, await idOf(`${api}/domain_blocks`), {}, 'domain_block delete'],
    [`POST ${api}/email_domain_blocks`, null, { domain: 'spam-mail.test' }, 'email_domain_block create'],
    [
      `DELETE ${api}/email_domain_blocks/:id`,
      await idOf(`${api}/email_domain_blocks`),
      {},
      'email_domain_block delete',
    ],
    [`POST ${api}/ip_blocks`, null, { ip: '198.51.100.7', severity: 'no_access' }, 'ip_block create'],
    [`PUT ${api}/ip_blocks/:id`, await idOf(`${api}/ip_blocks`), { comment: 'Bots again' }, 'ip_block update'],
    [`DELETE ${api}/ip_blocks/:id`, await idOf(`${api}/ip_blocks`), {}, 'ip_block delete'],
    [`PUT ${api}/tags/:id`, tag, { listable: false }, 'tag update'],
    [`PATCH ${api}/tags/:id`, tag, { listable: true }, 'tag update'],
    [`POST ${api}/trends/tags/:id/approve`, tag, {}, 'tag approve'],
    [`POST ${api}/trends/tags/:id/reject`, tag, {}, 'tag reject'],
    [`POST ${api}/trends/links/:id/approve`, card, {}, 'link approve'],
    [`POST ${api}/trends/links/:id/reject`, card, {}, 'link reject'],
    [`POST ${api}/trends/links/publishers/:id/approve`, publisher, {}, 'publisher approve'],
    [`POST ${api}/trends/links/publishers/:id/reject`, publisher, {}, 'publisher reject'],
    [`POST ${api}/trends/statuses/:id/approve`, status, {}, 'trending_status approve'],
    [`POST ${api}/trends/statuses/:id/reject`, status, {}, 'trending_status reject'],
  ]
}

/** Only read, in spite of their method. */
const READING = ['canonical_email_blocks/test', 'dimensions', 'measures', 'retention'].map(
  (what) => `POST /api/v1/admin/${what}`,
)

test('each write leaves one entry of its kind by the staff member', async () => {
  const table = await writes()
  const operations = routes
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => name.includes('/admin/') && !name.startsWith('GET') && !READING.includes(name))
  assert.deepEqual([...new Set(table.map(([operation]) => operation))].toSorted(), operations.toSorted())
  const problems: string[] = []
  // The status goes with its author, so trends come first.
  const trendsFirst = table.toSorted(([a], [b]) => Number(b.includes('/trends/')) - Number(a.includes('/trends/')))
  for (const [operation, id, body, logged] of trendsFirst) {
    const [method = '', path = ''] = operation.split(' ')
    const before = await lastId()
    // Someone who may not do it leaves nothing.
    await server.send(method, path.replace(':id', id ?? ''), { token: warned.token, json: body })
    assert.deepEqual(await entriesAfter(before), [], operation)
    const { status, text } = await owner.send(method, path.replace(':id', id ?? ''), { json: body })
    const entries = await entriesAfter(before)
    const names = entries.map(({ target_type, action }) => `${target_type} ${action}`)
    if (status !== 200) problems.push(`${operation}: ${status} ${text}`)
    else if (!names.includes(logged)) problems.push(`${operation}: logged ${names.join(', ') || 'nothing'}`)
    else if (entries.some(({ account_id }) => account_id !== owner.id)) problems.push(`${operation}: not by the owner`)
    else if (entries.some(({ target_label, target_id }) => target_label === '' && target_id === null))
      problems.push(`${operation}: without a target`)
  }
  assert.deepEqual(problems, [])
})

test('a moderator cannot act on users of a higher role, and leaves no entry', async () => {
  const before = await lastId()
  for (const target of [owner, moderator])
    for (const type of ['none', 'silence', 'suspend', 'disable']) {
      const { status } = await moderator.send('POST', `/api/v1/admin/accounts/${target.id}/action`, { json: { type } })
      assert.equal(status, 403, `${type} ${target.username}`)
    }
  assert.deepEqual(await entriesAfter(before), [])
})
