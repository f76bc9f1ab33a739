// The facts on /admin/accounts/:id.
import { staffMay } from '../../domain/auth/staff.ts'
import { dayOf, numberText } from '../../html/texts.ts'
import { html, safeUrl, type Html, type HtmlValue } from '../../lib/html.ts'
import { type AccountPage, emailOf } from './account-parts.ts'
import { mayOpen, type AdminVisit } from './frame.ts'
import { accountChip, definitions, timeAgo, withQuery } from './kit.ts'

type Fact = readonly [label: string, value: HtmlValue]

export function factsOf(visit: AdminVisit, page: AccountPage): Html {
  const { account } = page
  const url = safeUrl(account.account.url ?? account.account.uri)
  return definitions([
    ...originFacts(visit, page),
    ...userFacts(visit, page),
    ...relatedFacts(visit, page),
    ...counts(visit, page),
    [
      visit.t.admin.accounts.account.profile,
      !account.suspended && url && html`<a href="${url}" rel="noopener"><bdi>${url}</bdi></a>`,
    ],
  ])
}

/** A link to `href`, for staff who may open the page `path` of the menu. */
const linked = (visit: AdminVisit, path: string, href: string, text: HtmlValue): HtmlValue =>
  mayOpen(visit, path) ? html`<a href="${href}">${text}</a>` : text

function originFacts(visit: AdminVisit, { account, facts }: AccountPage): Fact[] {
  const { t } = visit
  const { account: texts, list, pending } = t.admin.accounts
  const { domain, email } = account
  return [
    [list.joined, dayOf(t, new Date(account.created_at))],
    [
      list.by_domain,
      domain && linked(visit, '/admin/instances', `/admin/instances/${domain}`, html`<bdi>${domain}</bdi>`),
    ],
    [texts.email, email && (mayOpen(visit, '/admin/accounts') ? emailOf(email) : html`<bdi>${email}</bdi>`)],
    [texts.new_email, facts.unconfirmed_email && html`<bdi>${facts.unconfirmed_email}</bdi>`],
    [pending.reason, account.invite_request && html`<span dir="auto">${account.invite_request}</span>`],
  ]
}

function userFacts({ t, staff }: AdminVisit, { account, facts }: AccountPage): Fact[] {
  const { account: texts, list } = t.admin.accounts
  const isLocal = account.domain === null
  const showsSignIn = facts.role_id !== null && staffMay(staff, 'manage_users', 'manage_user_access')
  return [
    [list.role, isLocal && (account.role.name || texts.everyone)],
    [texts.language, account.locale],
    [texts.last_active, isLocal && (facts.last_active_at ? timeAgo(t, facts.last_active_at) : texts.never)],
    [texts.sessions, showsSignIn && numberText(t, facts.sessions)],
    [texts.two_factor, showsSignIn && (facts.has_second_factor ? t.admin.frame.yes : t.admin.frame.no)],
    [texts.app, showsSignIn && facts.app && html`<bdi>${facts.app}</bdi>`],
  ]
}

function relatedFacts({ ctx, t }: AdminVisit, { account, inviter }: AccountPage): Fact[] {
  const texts = t.admin.accounts.account
  const { moved } = account.account
  const ips = account.ips.slice(0, 10).map(({ ip, used_at: usedAt }) => {
    const href = withQuery('/admin/accounts', {}, { ip })
    return html`<li><a href="${href}"><bdi>${ip}</bdi></a> <span class="muted">${timeAgo(t, new Date(usedAt))}</span></li>`
  })
  return [
    [texts.invited_by, inviter && accountChip(ctx, inviter)],
    [texts.moved_to, moved && accountChip(ctx, moved)],
    [texts.ips, ips.length > 0 && html`<ul class="details-list">${ips}</ul>`],
  ]
}

function counts(visit: AdminVisit, { account, facts }: AccountPage): Fact[] {
  const { t } = visit
  const texts = t.admin.accounts.account
  const number = (count: number): string => numberText(t, count)
  const listOf = (path: string, filters: Record<string, string>, count: number): HtmlValue =>
    linked(visit, path, withQuery(path, {}, filters), number(count))
  const accounts = (filter: 'followers_of' | 'followed_by', count: number): HtmlValue =>
    listOf('/admin/accounts', { [filter]: account.id }, count)
  const reports = (filter: 'target_account_id' | 'account_id', count: number): HtmlValue =>
    count === 0 ? number(count) : listOf('/admin/reports', { [filter]: account.id, resolved: 'all' }, count)
  return [
    [texts.statuses, number(facts.local_statuses)],
    [texts.media, number(facts.media)],
    [texts.email_subscriptions, facts.email_subscriptions > 0 && number(facts.email_subscriptions)],
    [texts.followers, accounts('followers_of', account.account.followers_count)],
    [texts.following, accounts('followed_by', account.account.following_count)],
    [texts.reports_about, reports('target_account_id', facts.reports_about)],
    [texts.reports_by, reports('account_id', facts.reports_by)],
  ]
}
