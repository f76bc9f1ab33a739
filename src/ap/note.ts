import { type NoteAttachment, attachmentsOf, pageLinkOf } from './attachments.ts'
import { recipientsOf } from './audience.ts'
import {
  asArray,
  asObject,
  booleanOf,
  countOf,
  dateOf,
  firstObject,
  idOf,
  isSameHost,
  languageTextOf,
  maxLineLength,
  maxTextLength,
  textOf,
  typesOf,
  urlOf,
} from './normalise.ts'
import type { Json } from './normalise.ts'
import { quoteLinkOf, tagsOf } from './tags.ts'
import type { NoteTag } from './tags.ts'

interface Poll {
  /** May several options be chosen? */
  multiple: boolean
  options: { title: string; votesCount: number }[]
  endTime: Date | null
  isClosed: boolean
  votersCount: number | null
}

/** A post of any kind. */
export interface Note {
  id: string
  type: (typeof types)[number]
  attributedTo: string
  /** HTML as sent; null where there is none. */
  content: string | null
  /** Title of articles, pages and files. */
  name: string | null
  /** Content warning; of articles the summary. */
  summary: string | null
  language: string | null
  sensitive: boolean
  inReplyTo: string | null
  context: string | null
  conversation: string | null
  published: Date | null
  updated: Date | null
  to: string[]
  cc: string[]
  tags: NoteTag[]
  attachments: NoteAttachment[]
  /** The page for people, when it is on the same host. */
  url: string | null
  replies: string | null
  likes: string | null
  shares: string | null
  likesCount: number | null
  sharesCount: number | null
  /** The quoted post. */
  quote: string | null
  /** The stamp with which the quoted author agreed (FEP-044f). */
  quoteAuthorization: string | null
  /** The authorization of a reply by the author of its parent. GoToSocial up to 0.19 calls it `approvedBy`. */
  replyAuthorization: string | null
  /** As sent. */
  interactionPolicy: Json | null
  poll: Poll | null
}

const types = ['Note', 'Question', 'Article', 'Page', 'Image', 'Audio', 'Video', 'Event'] as const
const maxOptions = 100

/**
 * A post; null when it is none or lacks id or author. `by` is who is taken for the author where the post names none. Says
 * nothing about who sent it.
 */
export function parseObject(json: unknown, by?: string): Note | null {
  const note = asObject(json)
  const id = urlOf(note)
  const type = note === null ? undefined : types.find((known) => typesOf(note).includes(known))
  const attributedTo = note === null ? null : authorOf(note['attributedTo'] ?? note['actor'] ?? by)
  if (note === null || id === null || type === undefined || attributedTo === null) return null

  const content = languageTextOf(note, 'content', maxTextLength)
  const name = languageTextOf(note, 'name', maxLineLength)
  const summary = languageTextOf(note, 'summary', maxTextLength)
  const page = pageLinkOf(note['url'])
  return {
    id,
    type,
    attributedTo,
    content: content.text,
    name: name.text,
    summary: summary.text,
    language: content.language ?? name.language ?? summary.language,
    sensitive: booleanOf(note['sensitive']) ?? false,
    inReplyTo: urlOf(note['inReplyTo']),
    context: idOf(note['context']),
    conversation: idOf(note['conversation']),
    published: dateOf(note['published']),
    updated: dateOf(note['updated']),
    to: recipientsOf(note['to']),
    cc: recipientsOf(note['cc']),
    tags: tagsOf(note['tag']),
    attachments: attachmentsOf(note['attachment']),
    url: page !== null && isSameHost(page, id) ? page : null,
    replies: urlOf(note['replies']),
    likes: urlOf(note['likes']),
    shares: urlOf(note['shares']),
    likesCount: countOf(firstObject(note['likes'])?.['totalItems']),
    sharesCount: countOf(firstObject(note['shares'])?.['totalItems']),
    quote: quoteOf(note),
    quoteAuthorization: urlOf(note['quoteAuthorization']),
    replyAuthorization: urlOf(note['replyAuthorization']) ?? urlOf(note['approvedBy']),
    interactionPolicy: firstObject(note['interactionPolicy']),
    poll: pollOf(note),
  }
}

/** Of several authors the first person counts: PeerTube names the channel, a Group, as well. */
function authorOf(value: unknown): string | null {
  const authors = asArray(value, 10)
  const person = authors.find((author) => typesOf(asObject(author) ?? {}).includes('Person'))
  return urlOf(person ?? authors[0])
}

function quoteOf(note: Json): string | null {
  for (const name of ['quote', 'quoteUrl', 'quoteUri', '_misskey_quote']) {
    const url = urlOf(note[name])
    if (url !== null) return url
  }
  return quoteLinkOf(note['tag'])
}

function pollOf(note: Json): Poll | null {
  const multiple = note['anyOf'] !== undefined
  const options = asArray(note['anyOf'] ?? note['oneOf'], maxOptions).flatMap((each) => {
    const option = asObject(each)
    const title = option === null ? null : languageTextOf(option, 'name', maxLineLength).text
    return title ? [{ title, votesCount: countOf(firstObject(option?.['replies'])?.['totalItems']) ?? 0 }] : []
  })
  if (options.length === 0) return null
  const closed = dateOf(note['closed'])
  return {
    multiple,
    options,
    endTime: dateOf(note['endTime']) ?? closed,
    isClosed: closed !== null || booleanOf(note['closed']) === true,
    votersCount: countOf(note['votersCount']),
  }
}

/** A vote in a poll: a Note that names an option and has no content. Null for anything else. */
export function parseVote(note: Note, json: unknown): { option: string; question: string } | null {
  const option = textOf(asObject(json)?.['name'])
  const isVote = note.type === 'Note' && note.inReplyTo !== null && !note.content && note.attachments.length === 0
  return isVote && option ? { option, question: note.inReplyTo! } : null
}
