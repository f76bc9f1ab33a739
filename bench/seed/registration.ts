// Who may join: rules for networks, e-mail providers and names, invitations, a role, and terms of service.
import { blockEmail } from '../../src/actions/admin/canonical-email-blocks.ts'
import { blockEmailDomain } from '../../src/actions/admin/email-domain-blocks.ts'
import { blockIp } from '../../src/actions/admin/ip-blocks.ts'
import { createRole } from '../../src/actions/admin/roles.ts'
import { publishTerms, saveTermsDraft } from '../../src/actions/admin/terms.ts'
import { blockUsername } from '../../src/actions/admin/username-blocks.ts'
import { createInvite } from '../../src/actions/auth/invites.ts'
import type { Context } from '../../src/context.ts'
import type { Citizen } from './types.ts'

const DAY = 86_400

const TERMS = `# Terms of service

These terms hold for everyone who has an account on %{domain}.

## What you may expect

- We run the server with care, and make backups.
- We tell you **before** these terms change.

## What we expect

You keep to the rules of the server. See [about this server](https://example.org/about).`

/** Networks are those for documentation (RFC 5737, RFC 3849), so that no one is shut out. */
export async function addRegistration(ctx: Context, people: readonly Citizen[]): Promise<void> {
  const networks = [
    { ip: '203.0.113.0/24', severity: 'sign_up_block', comment: 'Many accounts at once', expiresIn: 180 * DAY },
    { ip: '198.51.100.7', severity: 'no_access', comment: 'Tries passwords', expiresIn: 30 * DAY },
    { ip: '2001:db8:bad::/48', severity: 'sign_up_requires_approval', comment: '', expiresIn: null },
  ] as const
  for (const network of networks) await blockIp(ctx, { staffId: null, ip: null }, network)
  await blockEmailDomain(ctx, null, {
    domain: 'throwaway.example',
    mailServers: ['mx.throwaway.example', '203.0.113.25'],
  })
  await blockEmailDomain(ctx, null, { domain: 'free-mail.example', allowWithApproval: true })
  for (const email of ['troll@mail.example', 'advertiser@mail.example']) await blockEmail(ctx, null, { email })
  await blockUsername(ctx, null, { username: 'official', exact: false, allow_with_approval: true })
  await blockUsername(ctx, null, { username: 'postmaster', exact: true, allow_with_approval: false })
  const [inviter, other] = people
  if (inviter)
    await createInvite(ctx, inviter.userId, { maxUses: 10, expiresIn: 7 * DAY, autofollow: true, comment: 'The choir' })
  if (other) await createInvite(ctx, other.userId, { maxUses: 1, expiresIn: null, autofollow: false, comment: '' })
  const role = { name: 'Curator', color: '#b04b00', position: 5, permissions: 0x6000n, highlighted: true }
  await createRole(ctx, null, { ...role, collection_limit: 50, require_2fa: false })
  const dayAfter = (days: number): string => new Date(Date.now() + days * DAY * 1000).toISOString().slice(0, 10)
  await saveTermsDraft(ctx, null, { text: TERMS, changelog: '', effectiveDate: dayAfter(0) })
  await publishTerms(ctx, null)
  await saveTermsDraft(ctx, null, {
    text: `${TERMS}\n\nBe kind.`,
    changelog: 'One more rule.',
    effectiveDate: dayAfter(60),
  })
  await publishTerms(ctx, null)
}
