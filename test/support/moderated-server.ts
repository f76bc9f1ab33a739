// A server in use by its staff: each page of the administration, and each operation that lists something, has something to show.
import { join } from 'node:path'
import sharp from 'sharp'
import { appealWarning } from '../../src/actions/moderation/appeals.ts'
import { actOnAccount } from '../../src/actions/moderation/act-on-account.ts'
import { addReportNote } from '../../src/actions/moderation/handle-reports.ts'
import { publishTerms, saveTermsDraft } from '../../src/actions/admin/terms.ts'
import { blockUsername } from '../../src/actions/admin/username-blocks.ts'
import { createAnnouncement } from '../../src/actions/announcements/announce.ts'
import { createInvite } from '../../src/actions/auth/invites.ts'
import { createEmoji } from '../../src/actions/emojis/manage.ts'
import { createRule } from '../../src/actions/server/rules.ts'
import { createWebhook } from '../../src/actions/server/webhooks.ts'
import { insertFailedJobs } from './admin-pages.ts'
import { sql } from './database.ts'
import { insertRegistration, parseRegistration } from '../../src/domain/fasp/providers.ts'
import { remoteAccount } from './remote.ts'
import type { Person, TestServer } from './server.ts'

export type ModeratedServer = {
  owner: Person
  moderator: Person
  /** Reported twice by `alan`; `warned` has appealed. */
  alan: Person
  spammer: Person
  warned: Person
  openReportId: string
  appealedWarningId: string
}

/** Call it on an empty server, or on one with other accounts. */
export async function moderatedServer(server: TestServer): Promise<ModeratedServer> {
  const { ctx } = server
  const owner = await server.person('boss', { role: 'owner' })
  const moderator = await server.person('warden', { role: 'moderator' })
  const [alan, spammer, warned] = [
    await server.person('alan'),
    await server.person('spammer'),
    await server.person('warned'),
  ]
  await alan.send('PATCH', '/api/v1/profile', { json: { discoverable: true } })
  const reason = 'I live around the corner and would like to join.'
  await server.person('newcomer', { approved: false, reason })
  await writeRules(server, owner)
  const status = await spammer.post('/api/v1/statuses', { status: 'Buy cheap engines at https://example.org/ #sale' })
  const report = { account_id: spammer.id, status_ids: [status.id], comment: 'Says this all day.', category: 'spam' }
  const { id: openReportId } = await alan.post('/api/v1/reports', report)
  await alan.post('/api/v1/reports', { account_id: warned.id, comment: 'Rude', category: 'other' })
  await addReportNote(ctx, moderator.id, openReportId, 'Looks like a bot to me.')
  await owner.post(`/api/v1/admin/reports/${openReportId}/assign_to_self`)
  const { warningId } = await actOnAccount(ctx, owner.id, {
    accountId: warned.id,
    type: 'silence',
    text: 'Please calm down.',
  })
  await appealWarning(ctx, { accountId: warned.id, warningId, text: 'I was joking.' })
  await ctx.db.run(sql`
    insert into account_moderation_notes (target_account_id, account_id, content)
    values (${spammer.id}, ${moderator.id}, 'Third time this month.')`)
  await ctx.db.run(sql`insert into account_warning_presets (title, text) values ('Spam', 'Do not advertise here.')`)
  await federate(server, owner)
  await restrictSignUps(server, owner)
  await discover(server, status.id)
  await publishThings(server, owner)
  await connectServices(server)
  await insertFailedJobs(server)
  await server.drain()
  return { owner, moderator, alan, spammer, warned, openReportId, appealedWarningId: warningId }
}

async function writeRules({ ctx }: TestServer, owner: Person): Promise<void> {
  const translations = [{ language: 'de', text: 'Keine Werbung', hint: '' }]
  await createRule(ctx, owner.id, { text: 'No advertising', hint: 'Not even for engines.', translations })
  await createRule(ctx, owner.id, { text: 'Be kind', hint: '', translations: [] })
}

async function federate(server: TestServer, owner: Person): Promise<void> {
  const { ctx } = server
  const friend = await remoteAccount(server, 'friend', 'friendly.test')
  await remoteAccount(server, 'rude', 'rude.test')
  await ctx.db.run(sql`
    insert into peers (domain, software, software_version, users_count, last_success_at, failing_since, retry_at) values
      ('friendly.test', 'mastodon', '4.6.0', 120, now(), null, null),
      ('rude.test', 'pleroma', '2.9', 3, now() - interval '3 days', now() - interval '2 days', now() + interval '1 hour')
    on conflict do nothing`)
  await ctx.db.run(sql`insert into follows (account_id, target_account_id) values (${owner.id}, ${friend})`)
  await ctx.db.run(sql`
    insert into peer_traffic (domain, day, received, delivered, failed)
    select 'friendly.test', current_date - n, 10 * n, 5 * n, n % 3 from generate_series(0, 20) n`)
  const comment = { private_comment: 'Many complaints', public_comment: 'Harassment' }
  await owner.post('/api/v1/admin/domain_blocks', { domain: 'rude.test', severity: 'silence', ...comment })
  await owner.post('/api/v1/admin/domain_blocks', { domain: 'gone.test', severity: 'suspend', obfuscate: true })
  await owner.post('/api/v1/admin/domain_allows', { domain: 'friendly.test' })
  await ctx.db.run(sql`
    with list as (
      insert into block_lists (title, url, mode, fetched_at, next_fetch_at)
      values ('Shared list', 'https://lists.test/blocks.csv', 'ask', now(), now() + interval '1 day') returning id)
    insert into block_list_entries (block_list_id, domain, severity, state, public_comment)
    select id, domain, 'suspend', state, 'Spam' from list,
      (values ('spam-one.test', 'proposed'), ('spam-two.test', 'retracted'), ('gone.test', 'applied')) entry (domain, state)`)
  await ctx.db.run(sql`insert into relays (inbox_url, state) values ('https://relay.test/inbox', 'accepted')`)
}

/** An auxiliary service that is in use, and one that waits. */
async function connectServices({ ctx }: TestServer): Promise<void> {
  const publicKey = 'FbUJDVCftINc9FlgRu2jLagCVvOa7I2Myw8aidvkong='
  for (const name of ['Discovery', 'Unknown services'])
    await insertRegistration(
      ctx,
      parseRegistration(ctx, { name, baseUrl: 'https://services.test', serverId: '1', publicKey }),
    )
  await ctx.db.run(sql`
    with provider as (
      update fasp_providers set confirmed_at = now(), enabled = '{callback}', contact_email = 'help@services.test',
        capabilities = '[{"id": "callback", "version": "0.1"}, {"id": "brewing", "version": "1.0"}]'
      where name = 'Discovery' returning id)
    insert into fasp_debug_callbacks (provider_id, ip, body) select id, '192.0.2.1', '{}' from provider`)
}

async function restrictSignUps({ ctx }: TestServer, owner: Person): Promise<void> {
  await owner.post('/api/v1/admin/email_domain_blocks', { domain: 'throwaway.test' })
  await owner.post('/api/v1/admin/canonical_email_blocks', { email: 'troll@mail.test' })
  const block = { ip: '192.0.2.0/24', severity: 'sign_up_block', comment: 'Bots', expires_in: 86_400 }
  await owner.post('/api/v1/admin/ip_blocks', block)
  await blockUsername(ctx, owner.id, { username: 'administrator', exact: false, allow_with_approval: false })
  await createInvite(ctx, owner.userId, { comment: 'For the choir', autofollow: true, maxUses: 10, expiresIn: 86_400 })
  await saveTermsDraft(ctx, owner.id, {
    text: 'Be **kind**.',
    changelog: 'The first version.',
    effectiveDate: '2030-01-01',
  })
  await publishTerms(ctx, owner.id)
  await saveTermsDraft(ctx, owner.id, { text: 'Be kinder.', changelog: 'Kinder.', effectiveDate: '2031-01-01' })
}

/** Trends of each kind, reviewed and not. */
async function discover({ ctx }: TestServer, statusId: string): Promise<void> {
  await ctx.db.run(sql`
    with tag as (select id from tags where name = 'sale'), days as (
      insert into tag_days (tag_id, day, uses, accounts) select id, current_date - n, 10 + n, 5 + n from tag, generate_series(0, 6) n
      on conflict do nothing)
    insert into tag_trends (tag_id, peak, peak_at, score, rank, language) select id, 9, now(), 9, 1, 'en' from tag
    on conflict do nothing`)
  await ctx.db.run(sql`
    insert into preview_card_providers (domain) values ('example.org') on conflict do nothing`)
  await ctx.db.run(sql`
    with card as (
      insert into preview_cards (link, url, type, title, description, hosts, provider_name, fetched_at)
      values ('https://example.org/news', 'https://example.org/news', 'link', 'News of the day', 'What happened', '{example.org}', 'Example', now())
      returning id), days as (
      insert into link_days (card_id, day, uses, accounts) select id, current_date - n, 8 + n, 4 + n from card, generate_series(0, 6) n)
    insert into link_trends (card_id, peak, peak_at, score, rank, language) select id, 7, now(), 7, 1, 'en' from card`)
  await ctx.db.run(sql`
    insert into status_trends (status_id, score, rank, language) values (${statusId}, 5, 1, 'en') on conflict do nothing`)
}

async function publishThings({ ctx }: TestServer, owner: Person): Promise<void> {
  const announcement = { startsAt: null, endsAt: null, allDay: false, mailsUsers: false, scheduledAt: null }
  await createAnnouncement(ctx, owner.id, {
    ...announcement,
    text: 'We move to a faster machine tonight.',
    when: 'now',
  })
  await ctx.db.run(sql`
    insert into custom_emojis (shortcode, domain, image_key, category, remote_url) values
      ('far_away', 'friendly.test', null, null, 'https://friendly.test/far.png')
    on conflict do nothing`)
  const path = join(ctx.config.dataDir, 'blobhappy.png')
  const image = sharp({ create: { width: 48, height: 48, channels: 3, background: '#e9a' } })
  const { size } = await image.png().toFile(path)
  const emoji = { shortcode: 'blobhappy', category: 'Blobs', aliases: ['happy'], visibleInPicker: true }
  await createEmoji(ctx, owner.id, emoji, { path, size })
  await createWebhook(ctx, owner.id, { url: 'https://hooks.test/rookery', events: ['report.created'], template: '' })
  await ctx.db.run(sql`
    insert into audit_log (account_id, action, target_type, target_label, details)
    values (null, 'update', 'settings', '', '{"site_title": "Our place"}')`)
}
