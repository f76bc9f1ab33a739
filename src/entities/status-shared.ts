import { type Context, perServer } from '../context.ts'
import type { StatusFacts } from '../domain/statuses/status-facts.ts'
import { extensionOf, type JsonPieces, type JsonText, withExtension } from '../lib/json.ts'
import { lruCache } from '../lib/lru-cache.ts'
import { extendPresented, type Presented } from './entity-format.ts'
import type { StatusContent } from './status-content.ts'

/** The values from which the shared members were made. The members are valid while these are the same. */
type Sources = {
  status: StatusFacts
  content: StatusContent
  account: Presented
  card: Presented | null
  showsApplication: boolean
  sensitive: boolean
}

type Shared = Sources & { text: JsonText }

const shared = perServer(() =>
  lruCache<string, Shared>({ maxSize: 16 * 1024 * 1024, sizeCalculation: ({ text }) => text.length + 300 }),
)

/** Members of every status, besides its content. */
export function commonMembers({ status, content, account, card, showsApplication, sensitive }: Sources) {
  const { replies_count, reblogs_count, favourites_count, quotes_count } = status
  return {
    application: showsApplication ? content.application : undefined,
    sensitive,
    replies_count,
    reblogs_count,
    favourites_count,
    quotes_count,
    card,
    account,
  }
}

/**
 * The members of a status without poll, quote, boosted status and collections that are the same for all viewers: most statuses.
 * They are made once for all pages.
 */
export function sharedMembers(ctx: Context, sources: Sources): JsonText {
  const { status, content } = sources
  const known = shared(ctx).get(status.id)
  if (known && isMadeOf(known, sources)) return known.text
  const rest = { poll: null, quote: null, tagged_collections: [], reblog: null }
  const text = extendPresented(content.presented, { ...commonMembers(sources), ...rest }) as JsonText
  shared(ctx).set(status.id, { ...sources, text })
  return text
}

const isMadeOf = (known: Shared, sources: Sources): boolean =>
  known.status === sources.status &&
  known.content === sources.content &&
  known.account === sources.account &&
  known.card === sources.card &&
  known.showsApplication === sources.showsApplication &&
  known.sensitive === sources.sensitive

/** The members that depend on the viewer, as JSON: there are few different ones. */
const extensions = lruCache<number, Buffer>({ max: 500 })

/** `key` identifies the values of `members`. Without a key, they are not cached. */
export function withViewerMembers(text: JsonText, key: number | null, members: () => object): JsonPieces {
  let extension = key === null ? undefined : extensions.get(key)
  if (!extension) {
    extension = extensionOf(members())
    if (key !== null) extensions.set(key, extension)
  }
  return withExtension(text, extension)
}
