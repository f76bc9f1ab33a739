// Shows the effects of a block of servers before an administrator confirms it.
import {
  COUNT_LIMIT,
  type DryRun,
  estimateBlock,
  estimateDisallow,
  estimatePurge,
} from '../../domain/moderation/dry-run.ts'
import { numberText, sizeText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import { mayOpenAccounts, type AdminVisit } from './frame.ts'
import { dataTable, definitions, emptyState, staffChip } from './kit.ts'

export type DryRunOptions = {
  /** Follows end; otherwise only media may be deleted. */
  suspends: boolean
  /** Cached media is deleted. A suspension does so anyway. */
  rejectsMedia?: boolean
  /** Whether it can be undone. */
  undo?: boolean
}

/** For the domains and their subdomains. */
export const dryRunHtml = async (
  visit: AdminVisit,
  domains: readonly string[],
  options: DryRunOptions,
): Promise<Html> => figuresHtml(visit, await estimateBlock(visit.ctx, domains), options)

export const purgeHtml = async (visit: AdminVisit, domain: string): Promise<Html> =>
  figuresHtml(visit, await estimatePurge(visit.ctx, [domain]), { suspends: true, undo: false })

/** For a domain that leaves the list of limited federation mode. Null when other entries still allow all that it covers. */
export async function disallowHtml(visit: AdminVisit, domain: string): Promise<Html | null> {
  const run = await estimateDisallow(visit.ctx, domain)
  return run.domains.length === 0 ? null : figuresHtml(visit, run, { suspends: true })
}

function figuresHtml(visit: AdminVisit, run: DryRun, options: DryRunOptions): Html {
  const { t } = visit
  const texts = t.admin.federation.dry_run
  if (run.accounts === 0) return html`<p>${texts.nothing}</p>`
  const { suspends, rejectsMedia = false, undo = suspends } = options
  const count = (value: number): string =>
    value >= COUNT_LIMIT ? texts.at_least({ count: COUNT_LIMIT }) : numberText(t, value)
  const media = html`${count(run.media)}${run.mediaBytes > 0 && html` (${sizeText(t, run.mediaBytes)})`}`
  return html`${definitions([
    [texts.known, run.domains.length > 1 && numberText(t, run.domains.length)],
    [texts.accounts, numberText(t, run.accounts)],
    [texts.statuses, suspends && count(run.statuses)],
    [suspends || rejectsMedia ? texts.media_removed : texts.media, media],
    [texts.following, suspends && numberText(t, run.following)],
    [texts.followers, suspends && numberText(t, run.followers)],
    [texts.local_accounts, suspends && numberText(t, run.localAccounts)],
    [texts.received, count(run.received)],
    [texts.delivered, numberText(t, run.delivered)],
  ])}
${suspends && affectedTable(visit, run)}
${undo && html`<p>${texts.undo}</p>`}`
}

function affectedTable({ t, staff }: AdminVisit, { named, localAccounts }: DryRun): Html | null {
  const { dry_run: texts, blocks } = t.admin.federation
  if (named.length === 0) return null
  const table = dataTable(t, {
    caption: texts.most_affected,
    rows: named,
    empty: emptyState({ title: texts.nothing }),
    columns: [
      {
        label: texts.user,
        cell: (account) => staffChip(t, account, { linked: mayOpenAccounts(staff) }),
        kind: 'main',
      },
      { label: texts.following, cell: ({ following }) => numberText(t, following), kind: 'number' },
      { label: texts.followers, cell: ({ followers }) => numberText(t, followers), kind: 'number' },
    ],
  })
  const rest = localAccounts - named.length
  return html`<h3>${texts.most_affected}</h3>${table}${rest > 0 && html`<p class="muted">${blocks.and_more({ count: rest })}</p>`}`
}
