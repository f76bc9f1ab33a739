// A server in use by its staff: each page of the administration, and each operation that lists something, has something to show.
import { insertFailedJobs } from './admin-pages.ts'
import { sql } from './database.ts'
import type { Person, TestServer } from './server.ts'

export type ModeratedServer = { owner: Person; moderator: Person; ada: Person; bob: Person }

export async function moderatedServer(server: TestServer): Promise<ModeratedServer> {
  const [owner, moderator, ada, bob] = await Promise.all([
    server.person('boss', { role: 'owner' }),
    server.person('warden', { role: 'moderator' }),
    server.person('ada'),
    server.person('bob'),
  ])
  const status = await bob.post('/api/v1/statuses', { status: 'Buy cheap engines at https://example.org/ #sale' })
  const report = { account_id: bob.id, status_ids: [status.id], comment: 'He says this all day.', category: 'spam' }
  await ada.send('POST', '/api/v1/reports', { json: report })
  await server.ctx.db.run(sql`
    insert into audit_log (account_id, action, target_type, target_id, target_label, details) values
      (${owner.id}, 'silence', 'account', ${bob.id}, '@bob', '{"text": "calm down"}'),
      (null, 'update', 'settings', null, '', '{"site_title": "Our place"}')`)
  await insertFailedJobs(server)
  return { owner, moderator, ada, bob }
}
