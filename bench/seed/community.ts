// What else a server that is run with care has: rules, an announcement, blocked and known servers, warnings with appeals.
import { createAnnouncement } from '../../src/actions/announcements/announce.ts'
import { appealWarning } from '../../src/actions/moderation/appeals.ts'
import { createDomainBlock } from '../../src/actions/moderation/domain-blocks.ts'
import { actOnAccount } from '../../src/actions/moderation/act-on-account.ts'
import { createRule } from '../../src/actions/server/rules.ts'
import type { Context } from '../../src/context.ts'
import { sql } from '../../src/db/sql.ts'
import { type Random, postText } from './random.ts'
import type { Citizen } from './seed.ts'

/** Before the reports, which name rules. */
export async function addRules(ctx: Context): Promise<void> {
  const german = { language: 'de', text: 'Seid freundlich.', hint: '' }
  await createRule(ctx, null, { text: 'Be kind.', hint: 'Criticise posts, not people.', translations: [german] })
  await createRule(ctx, null, { text: 'No advertising.', hint: '', translations: [] })
}

export async function addCommunity(ctx: Context, random: Random, people: readonly Citizen[]): Promise<void> {
  await createAnnouncement(ctx, null, {
    text: 'The server moves to a faster machine tonight. #maintenance',
    startsAt: null,
    endsAt: null,
    allDay: false,
    mailsUsers: false,
    when: 'now',
    scheduledAt: null,
  })
  for (const { id: accountId } of people.slice(0, Math.min(3, people.length - 1))) {
    const { warningId } = await actOnAccount(ctx, null, {
      accountId,
      type: 'none',
      text: postText(random),
      sendMail: false,
    })
    if (random.chance(0.7)) await appealWarning(ctx, { accountId, warningId, text: postText(random) })
  }
  await knowServers(ctx)
}

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
}
