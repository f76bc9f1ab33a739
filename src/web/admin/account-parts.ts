// Parts that the pages about accounts share: an account with its state, and values of entities.
import type { Context } from '../../context.ts'
import { findPurge, type Purge } from '../../domain/deletion/purge.ts'
import { listModerationNotes, type ModerationNote } from '../../domain/moderation/notes.ts'
import {
  listPublicStatusIds,
  type ModerationFacts,
  readModerationFacts,
  type SuspensionPreview,
} from '../../domain/moderation/account-page.ts'
import { listPresets, type WarningPreset } from '../../domain/moderation/presets.ts'
import { listWarnings, type Warning } from '../../domain/moderation/warnings.ts'
import { listRoles, type RoleSummary } from '../../domain/roles/roles.ts'
import type { Account } from '../../entities/account.ts'
import { readAccountMap } from '../../entities/account-presenter.ts'
import { readStatusEntities } from '../../entities/status-presenter.ts'
import type { Status } from '../../entities/status.ts'
import { numberText } from '../../html/texts.ts'
import { NotFound } from '../../lib/errors.ts'
import { type AdminAccount, presentAdminAccountMap, presentAdminAccounts } from '../../entities/admin/account.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import type { AdminVisit } from './frame.ts'
import { accountChip, definitions, type QueryChanges, stateBadge, withQuery } from './kit.ts'

/** Keeps the order of `ids`; leaves out unknown ones. */
export async function readAdminAccounts(ctx: Context, ids: readonly string[]): Promise<AdminAccount[]> {
  const presented = await presentAdminAccounts(ctx, ids)
  return presented.map((each) => JSON.parse(each.toString('utf8')) as AdminAccount)
}

/** All states of an account; "active" when there is no other. */
export function accountStates(t: Texts, account: AdminAccount, purged = false): Html {
  const { states } = t.admin.accounts
  const isLocal = account.domain === null
  const badges = [
    isLocal && !purged && !account.suspended && !account.approved && stateBadge(states.pending, 'warning'),
    isLocal && !purged && !account.suspended && !account.confirmed && stateBadge(states.unconfirmed, 'warning'),
    account.disabled && stateBadge(states.disabled, 'bad'),
    account.sensitized && stateBadge(states.sensitized, 'warning'),
    account.silenced && stateBadge(states.silenced, 'warning'),
    account.account.memorial === true && stateBadge(states.memorial, 'plain'),
    account.suspended && !purged && stateBadge(states.suspended, 'bad'),
    purged && stateBadge(states.purged, 'bad'),
  ].filter((badge) => badge !== false)
  return html`${badges.length === 0 ? stateBadge(states.active, 'good') : badges.map((badge) => html`${badge} `)}`
}

/** The address of a user and the last IP address, each linked to the accounts that share the provider or the address. */
export function contactOf(email: string, ip: string | null, among: QueryChanges = {}): Html {
  const link = ip && html`<br><a href="${withQuery('/admin/accounts', {}, { ...among, ip })}"><bdi>${ip}</bdi></a>`
  return html`${emailOf(email, among)}${link}`
}

/** The provider leads to the accounts that have an address there. */
export function emailOf(email: string, among: QueryChanges = {}): Html {
  const at = email.lastIndexOf('@')
  if (at < 0) return html`<bdi>${email}</bdi>`
  const provider = email.slice(at)
  return html`<bdi>${email.slice(0, at)}<a href="${withQuery('/admin/accounts', {}, { ...among, email: provider })}">${provider}</a></bdi>`
}

export const adminAccountChip = (ctx: Context, { account }: AdminAccount): Html => accountChip(ctx, account)

export type AccountPage = {
  account: AdminAccount
  facts: ModerationFacts
  warnings: Warning[]
  notes: ModerationNote[]
  presets: WarningPreset[]
  roles: RoleSummary[]
  statuses: Status[]
  purge: Purge | null
  inviter: Account | null
}

const SHOWN_STATUSES = 10

/** Without `personal`, leaves out the data that only staff who may manage users may know. Throws NotFound. */
export async function readAccountPage(ctx: Context, id: string, personal: boolean): Promise<AccountPage> {
  const known = (await presentAdminAccountMap(ctx, [id], { personal })).get(id)
  if (!known) throw new NotFound()
  const account = JSON.parse(known.toString('utf8')) as AdminAccount
  const [facts, warnings, notes, presets, roles, purge, statusIds] = await Promise.all([
    readModerationFacts(ctx, id),
    listWarnings(ctx, id),
    listModerationNotes(ctx, { accountId: id }),
    listPresets(ctx),
    listRoles(ctx),
    findPurge(ctx, id),
    listPublicStatusIds(ctx, id, SHOWN_STATUSES),
  ])
  const { invited_by_account_id: inviterId } = account
  const [statuses, accounts] = await Promise.all([
    readStatusEntities(ctx, null, statusIds),
    readAccountMap(ctx, inviterId ? [inviterId] : []),
  ])
  const inviter = (inviterId && accounts.get(inviterId)) || null
  if (!personal) facts.unconfirmed_email = null
  return { account, facts, warnings, notes, presets, roles, statuses, purge, inviter }
}

/** Whether the staff member may act on the account, by their roles. The acts refuse the same. */
export function isBelow({ staff }: Pick<AdminVisit, 'staff'>, { facts, roles }: AccountPage): boolean {
  const role = roles.find(({ id }) => id === facts.role_id)
  return facts.role_id === null || (role !== undefined && role.position < staff.position)
}

/** For titles: a handle keeps its order in text that runs from right to left. */
export const isolated = (handle: string): string => `\u2066${handle}\u2069`

/** The effects of a suspension, in numbers; with those on remote follows, which stay until the data is deleted, when asked. */
export function suspensionFigures(
  t: Texts,
  preview: SuspensionPreview,
  { withRemoteFollows }: { withRemoteFollows: boolean },
): Html {
  const texts = t.admin.accounts.account
  return definitions([
    [texts.lost_follows, numberText(t, preview.local_followers)],
    [texts.lost_followers, numberText(t, preview.local_followed)],
    [texts.remote_follows, withRemoteFollows && numberText(t, preview.remote_follows)],
    [texts.hidden_statuses, numberText(t, preview.statuses)],
    [texts.hidden_media, numberText(t, preview.media)],
    [texts.resolved_reports, numberText(t, preview.unresolved_reports)],
  ])
}
