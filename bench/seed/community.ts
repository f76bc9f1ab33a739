// What else a server that is run with care has: rules, an announcement, blocked and known servers, warnings with appeals.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { createAnnouncement } from '../../src/actions/announcements/announce.ts'
import { reactTo } from '../../src/actions/announcements/react.ts'
import { createEmoji } from '../../src/actions/emojis/manage.ts'
import { createUser, type NewIds } from '../../src/domain/auth/users.ts'
import { appealWarning } from '../../src/actions/moderation/appeals.ts'
import { allowDomain } from '../../src/actions/moderation/domain-allows.ts'
import { createDomainBlock } from '../../src/actions/moderation/domain-blocks.ts'
import { actOnAccount } from '../../src/actions/moderation/act-on-account.ts'
import { createRule } from '../../src/actions/server/rules.ts'
import type { Context } from '../../src/context.ts'
import { sql } from '../../src/db/sql.ts'
import { type Random, postText } from './random.ts'
import type { Citizen } from './types.ts'

/** Before the reports, which name rules. */
export async function addRules(ctx: Context): Promise<void> {
  const german = { language: 'de', text: 'Seid freundlich.', hint: '' }
  await createRule(ctx, null, { text: 'Be kind.', hint: 'Criticise posts, not people.', translations: [german] })
  await createRule(ctx, null, { text: 'No advertising.', hint: '', translations: [] })
}

export async function addCommunity(ctx: Context, random: Random, people: readonly Citizen[]): Promise<void> {
  await addEmojis(ctx)
  const announcementId = await createAnnouncement(ctx, null, {
    text: 'The server moves to a faster machine tonight. :blobcat: #maintenance',
    startsAt: null,
    endsAt: null,
    allDay: false,
    mailsUsers: false,
    when: 'now',
    scheduledAt: null,
  })
  for (const { id } of people.slice(0, 20))
    await reactTo(ctx, announcementId, id, random.chance(0.5) ? '🎉' : random.chance(0.5) ? 'blobcat' : '👍')
  for (const { id: accountId } of people.slice(0, Math.min(3, people.length - 1))) {
    const { warningId } = await actOnAccount(ctx, null, {
      accountId,
      type: 'none',
      text: postText(random),
      sendMail: false,
    })
    if (random.chance(0.7)) await appealWarning(ctx, { accountId, warningId, text: postText(random) })
  }
  await moderate(ctx)
  await knowServers(ctx)
}

async function addEmojis(ctx: Context): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-seed-'))
  try {
    for (const [shortcode, background, aliases] of [
      ['blobcat', '#e0a020', ['cat']],
      ['rook', '#453aa0', []],
    ] as const) {
      const data = await sharp({ create: { width: 64, height: 64, channels: 4, background } })
        .png()
        .toBuffer()
      const path = join(folder, 'emoji.png')
      writeFileSync(path, data)
      const fields = { shortcode, category: 'Animals', aliases, visibleInPicker: true }
      await createEmoji(ctx, null, fields, { path, size: data.length })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One account in each state that moderators give, and people who wait to be let in. */
async function moderate(ctx: Context): Promise<void> {
  for (const type of ['sensitive', 'silence', 'disable', 'suspend'] as const) {
    const { accountId } = await joinAs(ctx, `${type}_example`, { approved: true })
    await actOnAccount(ctx, null, { accountId, type, text: 'Again.', sendMail: false })
  }
  await joinAs(ctx, 'applicant_one', { approved: false, reason: 'I live around the corner.' })
  await joinAs(ctx, 'applicant_two', { approved: false, reason: null })
}

const joinAs = (ctx: Context, username: string, how: { approved: boolean; reason?: string | null }): Promise<NewIds> =>
  createUser(ctx, {
    username,
    email: `${username}@seed.example`,
    password: 'correct horse battery',
    confirmed: true,
    ...how,
  })

async function knowServers(ctx: Context): Promise<void> {
  await ctx.db.run(sql`
    insert into peers (domain, software, software_version, users_count, last_success_at, failing_since, retry_at) values
      ('books.example', 'mastodon', '4.6.0', 1200, now(), null, null),
      ('garden.example', 'gotosocial', '0.22.0', 4, now(), null, null),
      ('attic.example', 'misskey', '2026.9.0', 80, now() - interval '5 days', now() - interval '4 days', now() + interval '2 hours')
    on conflict do nothing`)
  await ctx.db.run(sql`
    insert into peer_traffic (domain, day, received, delivered, failed)
    select domain, current_date - n, (n * 7) % 40, (n * 5) % 30, case when domain = 'attic.example' then n % 9 else 0 end
    from unnest(array['books.example', 'garden.example', 'attic.example']) domain, generate_series(0, 29) n
    on conflict do nothing`)
  const block = { reject_media: false, reject_reports: true, obfuscate: false }
  const comments = { private_comment: 'Three complaints', public_comment: 'Harassment' }
  await createDomainBlock(ctx, null, { ...block, ...comments, domain: 'shouting.example', severity: 'silence' })
  await createDomainBlock(ctx, null, { ...block, ...comments, domain: 'adverts.example', severity: 'suspend' })
  await allowDomain(ctx, null, 'books.example')
  await ctx.db.run(sql`
    with list as (
      insert into block_lists (title, url, mode, fetched_at, next_fetch_at)
      values ('Neighbours', 'https://lists.example/blocks.csv', 'ask', now(), now() + interval '10 years') on conflict do nothing returning id
    )
    insert into block_list_entries (block_list_id, domain, severity, public_comment, state)
    select id, domain, severity, 'Spam', state from list,
      (values ('adverts.example', 'suspend', 'applied'), ('casino.example', 'suspend', 'proposed'), ('attic.example', 'silence', 'declined')) e (domain, severity, state)`)
  await ctx.db.run(
    sql`insert into relays (inbox_url, state) values ('https://relay.example/inbox', 'idle') on conflict do nothing`,
  )
}
