import {
  type NoteAttachment,
  attachedLinkOf,
  attachmentsOf,
  mediaTypeOf,
  ownImageOf,
  pageLinkOf,
} from './attachments.ts'
import { hiddenRecipientsOf, recipientsOf } from './audience.ts'
import {
  asArray,
  asObject,
  booleanOf,
  countOf,
  dateOf,
  firstObject,
  idOf,
  isBlank,
  isSameHost,
  languageTextOf,
  MAX_LINE_LENGTH,
  MAX_TEXT_LENGTH,
  nameTextOf,
  textOf,
  typesOf,
  urlOf,
} from './normalise.ts'
import type { Json } from './normalise.ts'
import { quoteLinkOf, tagsOf } from './tags.ts'
import type { NoteTag } from './tags.ts'

type Poll = {
  multiple: boolean
  /** The counts are null where the author's server does not tell them. */
  options: { title: string; votesCount: number | null }[]
  endTime: Date | null
  /** Without a time. */
  isClosed: boolean
  votersCount: number | null
}

export type Note = {
  id: string
  type: (typeof types)[number]
  attributedTo: string
  /** HTML as sent, or text: see `mediaType`; null when it shows nothing. */
  content: string | null
  /** The media type of the content. Null: HTML. */
  mediaType: string | null
  name: string | null
  /** The content warning of a post, or the summary of an article. */
  summary: string | null
  /** A short form of an article (FEP-b2b8). HTML as sent; null when it shows nothing. */
  preview: string | null
  language: string | null
  sensitive: boolean
  inReplyTo: string | null
  context: string | null
  conversation: string | null
  published: Date | null
  updated: Date | null
  to: string[]
  cc: string[]
  hiddenRecipients: string[]
  tags: NoteTag[]
  attachments: NoteAttachment[]
  /** The web page. It may be on another host, so it proves nothing: any post can name any page. */
  url: string | null
  /** The address that a Page is about, as Lemmy, PieFed, Mbin and Friendica share it. */
  sharedLink: string | null
  /** The address of the collection, or one without an address, as Pleroma and Akkoma embed it. */
  replies: string | Json | null
  likesCount: number | null
  sharesCount: number | null
  quote: string | null
  /** Mastodon sends a Tombstone without an id in place of a quoted post that was deleted. */
  quotesDeleted: boolean
  /** The authorization by the quoted author (FEP-044f). */
  quoteAuthorization: string | null
  /** The authorization of a reply by the author of its parent. GoToSocial up to 0.19 calls it `approvedBy`. */
  replyAuthorization: string | null
  interactionPolicy: Json | null
  poll: Poll | null
}

/** Lemmy sends private messages as ChatMessage, Pleroma and Akkoma their chats. */
const types = ['Note', 'Question', 'ChatMessage', 'Article', 'Page', 'Image', 'Audio', 'Video', 'Event'] as const
/** Options of a poll that are read. Fewer are stored: see `remotePollOf`. */
const MAX_READ_OPTIONS = 100

/**
 * Returns null unless it is a post with an id and an author. `by` is the author if the post names none. Does not verify who sent
 * it.
 */
export function parseObject(json: unknown, by?: string): Note | null {
  const note = asObject(json)
  const id = urlOf(note)
  const type = note === null ? undefined : types.find((known) => typesOf(note).includes(known))
  const attributedTo = note === null ? null : authorOf(note['attributedTo'] ?? note['actor'] ?? by)
  if (note === null || id === null || type === undefined || attributedTo === null) return null

  const content = languageTextOf(note, 'content', MAX_TEXT_LENGTH)
  const name = nameTextOf(note)
  const summary = languageTextOf(note, 'summary', MAX_TEXT_LENGTH)
  const preview = languageTextOf(firstObject(note['preview']) ?? {}, 'content', MAX_TEXT_LENGTH).text
  const attachments = attachmentsOf(note['attachment'])
  const page = pageLinkOf(note['url'])
  // Friendica, Lotide and old versions of Lemmy give a Page the address that it is about.
  const isOwnPage = page !== null && (type !== 'Page' || isSameHost(page, id))
  return {
    id,
    type,
    attributedTo,
    content: isBlank(content.text) ? null : content.text,
    mediaType: mediaTypeOf(note['mediaType']),
    name: name.text,
    summary: summary.text,
    preview: isBlank(preview) ? null : preview,
    language: content.language ?? name.language ?? summary.language ?? namedLanguageOf(note),
    sensitive: booleanOf(note['sensitive']) ?? false,
    inReplyTo: urlOf(note['inReplyTo']),
    context: idOf(note['context']),
    conversation: idOf(note['conversation']),
    published: dateOf(note['published']),
    updated: dateOf(note['updated']),
    to: recipientsOf(note['to']),
    cc: recipientsOf(note['cc']),
    hiddenRecipients: hiddenRecipientsOf(note),
    tags: tagsOf(note['tag']),
    attachments: type === 'Image' && attachments.length === 0 ? ownImageOf(note['url']) : attachments,
    url: isOwnPage ? page : null,
    sharedLink: type === 'Page' ? (attachedLinkOf(note['attachment']) ?? (isOwnPage ? null : page)) : null,
    replies: urlOf(note['replies']) ?? firstObject(note['replies']),
    likesCount: countOf(firstObject(note['likes'])?.['totalItems']),
    sharesCount: countOf(firstObject(note['shares'])?.['totalItems']),
    quote: quoteOf(note, [id, page]),
    quotesDeleted: typesOf(firstObject(note['quote']) ?? {}).includes('Tombstone') && urlOf(note['quote']) === null,
    quoteAuthorization: urlOf(note['quoteAuthorization']),
    replyAuthorization: urlOf(note['replyAuthorization']) ?? urlOf(note['approvedBy']),
    interactionPolicy: firstObject(note['interactionPolicy']),
    poll: pollOf(note),
  }
}

/** Takes the first Person of several authors: PeerTube also names the channel, a Group. */
function authorOf(value: unknown): string | null {
  const authors = asArray(value, 10)
  const person = authors.find((author) => typesOf(asObject(author) ?? {}).includes('Person'))
  return urlOf(person ?? authors[0])
}

/** Lemmy, PieFed and PeerTube send an object that names the language, Mobilizon its code. */
function namedLanguageOf(note: Json): string | null {
  const language = note['language'] ?? note['inLanguage']
  return textOf(asObject(language)?.['identifier'] ?? language)
}

/** Loops names the page of the post itself as its quote. */
function quoteOf(note: Json, own: readonly (string | null)[]): string | null {
  const named = ['quote', 'quoteUrl', 'quoteUri', '_misskey_quote'].map((name) => urlOf(note[name]))
  return [...named, quoteLinkOf(note['tag'])].find((url) => url !== null && !own.includes(url)) ?? null
}

function pollOf(note: Json): Poll | null {
  // Pleroma and Akkoma send both lists, one of them empty.
  const several = asArray(note['anyOf'], MAX_READ_OPTIONS)
  const multiple = several.length > 0
  const options = (multiple ? several : asArray(note['oneOf'], MAX_READ_OPTIONS)).flatMap((each) => {
    const option = asObject(each)
    const textIn = (name: string): string | null => option && languageTextOf(option, name, MAX_LINE_LENGTH).text
    const title = textIn('name') || textIn('content')
    return title ? [{ title, votesCount: countOf(firstObject(option?.['replies'])?.['totalItems']) }] : []
  })
  if (options.length === 0) return null
  // Pleroma and Akkoma send `closed` in place of `endTime`, also while the poll is open.
  return {
    multiple,
    options,
    endTime: dateOf(note['closed']) ?? dateOf(note['endTime']),
    isClosed: booleanOf(note['closed']) === true,
    votersCount: countOf(note['votersCount']),
  }
}

/** A vote is a Note that names an option and has no content. Null for other notes. */
export function parseVote(note: Note, json: unknown): { option: string; question: string } | null {
  const option = textOf(asObject(json)?.['name'])
  const isVote = note.type === 'Note' && note.inReplyTo !== null && !note.content && note.attachments.length === 0
  return isVote && option ? { option, question: note.inReplyTo! } : null
}
