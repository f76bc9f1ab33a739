import Type, { type Static } from 'typebox'
import type { Visibility } from '../db/schema.ts'
import { Account } from './account.ts'
import { Collection } from './collection.ts'
import { CustomEmoji } from './emojis.ts'
import { FilterResult } from './filter.ts'
import { MediaAttachment } from './media-attachment.ts'
import { Poll } from './poll.ts'
import { PreviewCard } from './preview-card.ts'
import { DateTime, Id, nullable } from './schema.ts'

const StatusMention = Type.Object(
  { id: Id, username: Type.String(), url: Type.String(), acct: Type.String() },
  { $id: 'Status_Mention' },
)
export const StatusTag = Type.Object({ name: Type.String(), url: Type.String() }, { $id: 'Status_Tag' })
const QuoteApproval = Type.Object(
  {
    automatic: Type.Array(Type.String()),
    manual: Type.Array(Type.String()),
    current_user: Type.Union([
      Type.Literal('automatic'),
      Type.Literal('manual'),
      Type.Literal('denied'),
      Type.Literal('unknown'),
    ]),
  },
  { $id: 'QuoteApproval' },
)
const InteractionRule = Type.Object({
  automatic_approval: Type.Array(Type.String()),
  manual_approval: Type.Array(Type.String()),
  always: Type.Array(Type.String()),
  with_approval: Type.Array(Type.String()),
})
/** GoToSocial's member, for its clients. Present only when a policy restricts something. */
const InteractionPolicy = Type.Object(
  { can_favourite: InteractionRule, can_reply: InteractionRule, can_reblog: InteractionRule },
  { $id: 'InteractionPolicy' },
)
/** The widest first. */
export const VISIBILITIES = Object.keys({
  public: true,
  unlisted: true,
  private: true,
  direct: true,
} satisfies Record<Visibility, true>) as Visibility[]
export const VisibilityName = Type.Unsafe<Visibility>(Type.Union(VISIBILITIES.map((name) => Type.Literal(name))))

const common = {
  id: Id,
  uri: Type.String(),
  created_at: DateTime,
  account: Account,
  content: Type.String(),
  visibility: VisibilityName,
  sensitive: Type.Boolean(),
  spoiler_text: Type.String(),
  media_attachments: Type.Array(MediaAttachment),
  application: Type.Optional(nullable(Type.Object({ name: Type.String(), website: nullable(Type.String()) }))),
  mentions: Type.Array(StatusMention),
  tags: Type.Array(StatusTag),
  emojis: Type.Array(CustomEmoji),
  reblogs_count: Type.Integer(),
  favourites_count: Type.Integer(),
  quotes_count: Type.Integer(),
  replies_count: Type.Integer(),
  url: nullable(Type.String()),
  in_reply_to_id: nullable(Id),
  in_reply_to_account_id: nullable(Id),
  poll: nullable(Poll),
  card: nullable(PreviewCard),
  language: nullable(Type.String()),
  edited_at: nullable(DateTime),
  quote_approval: QuoteApproval,
  interaction_policy: Type.Optional(InteractionPolicy),
  /** The state of a reply or boost that needs approval. Only its own author sees it. */
  approval: Type.Optional(Type.Union([Type.Literal('pending'), Type.Literal('rejected'), Type.Literal('revoked')])),
  favourited: Type.Optional(Type.Boolean()),
  reblogged: Type.Optional(Type.Boolean()),
  muted: Type.Optional(Type.Boolean()),
  bookmarked: Type.Optional(Type.Boolean()),
  pinned: Type.Optional(Type.Boolean()),
  filtered: Type.Optional(Type.Array(FilterResult)),
  tagged_collections: Type.Array(Collection),
}

const ShownQuoteState = Type.Union([
  Type.Literal('pending'),
  Type.Literal('accepted'),
  Type.Literal('rejected'),
  Type.Literal('revoked'),
  Type.Literal('deleted'),
  Type.Literal('unauthorized'),
  Type.Literal('blocked_account'),
  Type.Literal('blocked_domain'),
  Type.Literal('muted_account'),
])
export type ShownQuoteState = Static<typeof ShownQuoteState>

/** https://docs.joinmastodon.org/entities/ShallowQuote/ */
const ShallowQuote = Type.Object({ state: ShownQuoteState, quoted_status_id: nullable(Id) }, { $id: 'ShallowQuote' })

export type ShallowQuote = Static<typeof ShallowQuote>

const Quoted = Type.Object({ ...common, quote: nullable(ShallowQuote), reblog: Type.Null() }, { $id: 'Quote_Status' })

/** https://docs.joinmastodon.org/entities/Quote/ */
const Quote = Type.Object({ state: ShownQuoteState, quoted_status: nullable(Quoted) }, { $id: 'Quote' })
export type Quote = Static<typeof Quote>

const members = { ...common, quote: nullable(Quote) }

const Original = Type.Object({ ...members, reblog: Type.Null() }, { $id: 'Reblog' })

/** https://docs.joinmastodon.org/entities/Status/ */
export const Status = Type.Object({ ...members, reblog: nullable(Original) }, { $id: 'Status' })
export type Status = Static<typeof Status>

/** `text`: as typed, so that the author can write the status again. */
export const DeletedStatus = Type.Object(
  { ...members, reblog: nullable(Original), text: Type.Optional(nullable(Type.String())) },
  { $id: 'DeletedStatus' },
)

export const StatusSource = Type.Object(
  { id: Id, text: Type.String(), spoiler_text: Type.String() },
  { $id: 'StatusSource' },
)

export const StatusEdit = Type.Object(
  {
    content: Type.String(),
    spoiler_text: Type.String(),
    sensitive: Type.Boolean(),
    created_at: DateTime,
    account: Account,
    media_attachments: Type.Array(MediaAttachment),
    emojis: Type.Array(CustomEmoji),
    poll: Type.Optional(Type.Object({ options: Type.Array(Type.Object({ title: Type.String() })) })),
    quote: Type.Optional(nullable(Quote)),
  },
  { $id: 'StatusEdit' },
)

/** https://docs.joinmastodon.org/entities/Context/ */
export const StatusContext = Type.Object(
  { ancestors: Type.Array(Status), descendants: Type.Array(Status) },
  { $id: 'Context' },
)
