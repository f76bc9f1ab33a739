import type { Context } from '../context.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { assembleAccounts, presentAccountMap, readAccountMap } from './account-presenter.ts'
import { extendPart, type Form, type Part, partCache } from './parts.ts'
import { creatorsOf, loadMissingCards, presentCard } from './preview-card.ts'
import { addCollections } from './status-collections.ts'
import { loadContents, type StatusContent } from './status-content.ts'
import { presentPollFor, presentQuote, presentQuoteApproval, presentShallowQuote, shownQuote } from './status-extras.ts'
import type { StatusFacts } from './status-facts.ts'
import { applyFilters } from './status-filters.ts'

const contents = partCache<StatusContent>({ max: 50_000, maxBytes: 128 * 1024 * 1024 })

export async function loadMissingContents(ctx: Context, form: Form, facts: readonly StatusFacts[]): Promise<void> {
  const cache = contents(ctx)[form]
  const missing = facts.filter((fact) => cache.get(fact.status_id)?.version !== fact.status_version)
  if (missing.length === 0) return
  const loaded = await loadContents(
    ctx,
    form,
    missing.map((fact) => fact.status_id),
  )
  for (const { status_id, status_version } of missing) {
    const content = loaded.get(status_id)
    // Cached under the version that was read before: an edit may have happened between the two statements.
    if (content) cache.set(status_id, { ...content, version: status_version })
  }
}

/** Undefined when the status was deleted while it was read. */
export const cachedContent = (ctx: Context, form: Form, statusId: string): StatusContent | undefined =>
  contents(ctx)[form].get(statusId)

export function addFilterMatches(
  ctx: Context,
  form: Form,
  byViewer: ReadonlyMap<string, readonly StatusFacts[]>,
): Promise<void> {
  return applyFilters(ctx, byViewer, (id) => cachedContent(ctx, form, id)?.text)
}

/** Returns the accounts that the statuses show. */
export async function loadParts(
  ctx: Context,
  form: Form,
  viewer: MaybeViewer,
  facts: readonly StatusFacts[],
): Promise<Map<string, Part>> {
  const [accounts] = await Promise.all([
    loadAccounts(ctx, form, facts),
    loadMissingContents(ctx, form, facts),
    loadMissingCards(ctx, form, facts),
  ])
  await addCollections(ctx, viewer, facts, (id) => cachedContent(ctx, form, id)?.collectionIds ?? [])
  return accounts
}

/** Includes the authors of the pages that the statuses link to. */
async function loadAccounts(ctx: Context, form: Form, facts: readonly StatusFacts[]): Promise<Map<string, Part>> {
  const creators = creatorsOf(facts)
  if (creators.length === 0) return assembleAccounts(ctx, form, facts)
  const [authors, named] = await Promise.all([
    assembleAccounts(ctx, form, facts),
    form === 'json' ? presentAccountMap(ctx, creators) : readAccountMap(ctx, creators),
  ])
  return new Map<string, Part>([...named, ...authors])
}

export type Assembly = {
  ctx: Context
  form: Form
  viewer: MaybeViewer
  facts: ReadonlyMap<string, StatusFacts>
  accounts: ReadonlyMap<string, Part>
}

/** Null when the status or its original was deleted while it was read. */
export function assembleStatus(assembly: Assembly, id: string): Part | null {
  const fact = assembly.facts.get(id)
  if (!fact) return null
  if (fact.reblog_of_id === null) return assemble(assembly, fact, { quote: assembleQuote(assembly, fact) })
  const original = assembly.facts.get(fact.reblog_of_id)
  const reblog = original && assemble(assembly, original, { quote: assembleQuote(assembly, original) })
  return reblog ? assemble(assembly, fact, { quote: null, original, reblog }) : null
}

export function assembleQuote(assembly: Assembly, fact: StatusFacts): Part | null {
  const quoted = assembly.facts.get(shownQuote(fact) ?? '')
  return presentQuote(
    assembly.form,
    fact,
    quoted ? assemble(assembly, quoted, { quote: presentShallowQuote(quoted) }) : null,
  )
}

type Related = {
  quote: Part | null
  /** The original of a boost: its author decides who may quote it. */
  original?: StatusFacts
  reblog?: Part
}

const NONE: readonly never[] = []

function assemble(
  { ctx, form, viewer, accounts }: Assembly,
  fact: StatusFacts,
  { quote, original = fact, reblog }: Related,
): Part | null {
  const content = cachedContent(ctx, form, fact.status_id)
  const account = accounts.get(fact.account_id)
  if (!content || !account) return null
  const showsApplication = fact.show_application || viewer?.accountId === fact.account_id
  return extendPart(content.part, {
    application: showsApplication ? content.application : undefined,
    sensitive: fact.sensitive,
    replies_count: fact.replies_count,
    reblogs_count: fact.reblogs_count,
    favourites_count: fact.favourites_count,
    quotes_count: fact.quotes_count,
    favourited: viewer ? fact.favourited : undefined,
    reblogged: viewer ? fact.reblogged : undefined,
    muted: viewer ? fact.muted : undefined,
    bookmarked: viewer ? fact.bookmarked : undefined,
    pinned: viewer ? (fact.pinned ?? undefined) : undefined,
    filtered: viewer ? (fact.filtered ?? NONE) : undefined,
    poll: presentPollFor(content.poll, fact, viewer),
    quote_approval: presentQuoteApproval(form, original, viewer),
    quote,
    tagged_collections: fact.tagged_collections ?? NONE,
    card: presentCard(ctx, form, fact, viewer, accounts),
    account,
    reblog: reblog ?? null,
  })
}
