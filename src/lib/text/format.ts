// Formats typed plain text as the HTML that clients and other servers expect.

import { escapeHtml } from '../html.ts'
import { extractEntities } from './extract.ts'
import type { Entity, HashtagEntity, MentionEntity } from './extract.ts'

/** `url`: the profile page. `acct`: `user`, or `user@host` for remote accounts. */
export type Mentioned = { url: string; acct: string }

export type FormatOptions = {
  /** By typed handle in lower case: `user` or `user@host`. Other handles stay text. */
  mentions: ReadonlyMap<string, Mentioned>
  tagUrl: (name: string) => string
}

type Style = FormatOptions & { rel: string; fullHandles: boolean }

const REL = 'nofollow noopener noreferrer'
const VISIBLE_CHARACTERS = 30

/** Paragraphs, line breaks, links, mentions and hashtags. Empty for blank text. */
export function formatText(text: string, options: FormatOptions): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const line = linkEntities(trimmed, { ...options, rel: REL, fullHandles: false })
  return line
    .replace(/\r\n?/g, '\n')
    .split(/\n\n+/)
    .map((paragraph) => `<p>${paragraph.replace(/^\n|\n$/g, '').replaceAll('\n', '<br />')}</p>`)
    .join('')
}

/** For software without quotes; other software hides the paragraph by its class. */
export function formatQuoteLink(url: string): string {
  return `<p class="quote-inline">RE: ${linkUrl(url, REL)}</p>`
}

/** One line, links with `rel="me"`, mentions with the whole handle. */
export function formatField(value: string, options: FormatOptions): string {
  return linkEntities(value.trim(), { ...options, rel: `${REL} me`, fullHandles: true }).replace(/[\r\n]+/g, ' ')
}

function linkEntities(text: string, style: Style): string {
  const entities = extractEntities(text)
  const ambiguous = ambiguousUsernames(entities, style)
  let html = ''
  let position = 0
  for (const entity of entities) {
    const typed = escapeHtml(text.slice(entity.start, entity.end))
    html += escapeHtml(text.slice(position, entity.start)) + (linkEntity(entity, style, ambiguous) ?? typed)
    position = entity.end
  }
  return html + escapeHtml(text.slice(position))
}

function linkEntity(entity: Entity, style: Style, ambiguous: ReadonlySet<string>): string | null {
  if (entity.kind === 'url') return linkUrl(entity.url, style.rel)
  if (entity.kind === 'hashtag') return linkHashtag(entity, style)
  return linkMention(entity, style, ambiguous)
}

function linkUrl(url: string, rel: string): string {
  const prefix = /^(?:https?:\/\/(?:www\.)?|xmpp:)/i.exec(url)?.[0] ?? ''
  const characters = Array.from(url.slice(prefix.length))
  const visible = escapeHtml(characters.slice(0, VISIBLE_CHARACTERS).join(''))
  const rest = escapeHtml(characters.slice(VISIBLE_CHARACTERS).join(''))
  const open = `<a href="${escapeHtml(url)}" target="_blank" rel="${rel}" translate="no">`
  const spans = [
    `<span class="invisible">${escapeHtml(prefix)}</span>`,
    `<span class="${rest === '' ? '' : 'ellipsis'}">${visible}</span>`,
    `<span class="invisible">${rest}</span>`,
  ]
  return `${open}${spans.join('')}</a>`
}

function linkHashtag(tag: HashtagEntity, style: Style): string {
  const url = escapeHtml(style.tagUrl(tag.key))
  return `<a href="${url}" class="mention hashtag" rel="tag">#<span>${escapeHtml(tag.name)}</span></a>`
}

function linkMention(mention: MentionEntity, style: Style, ambiguous: ReadonlySet<string>): string | null {
  const account = style.mentions.get(mention.handle)
  if (!account) return null
  const username = usernameOf(account)
  const shown = style.fullHandles || ambiguous.has(username.toLowerCase()) ? account.acct : username
  const link = `<a href="${escapeHtml(account.url)}" class="u-url mention">@<span>${escapeHtml(shown)}</span></a>`
  return `<span class="h-card" translate="no">${link}</span>`
}

// Two mentioned accounts of one username are shown with their servers.
function ambiguousUsernames(entities: Entity[], { mentions }: Style): Set<string> {
  const profiles = new Map<string, Set<string>>()
  for (const entity of entities) {
    const account = entity.kind === 'mention' ? mentions.get(entity.handle) : undefined
    if (!account) continue
    const username = usernameOf(account).toLowerCase()
    profiles.set(username, (profiles.get(username) ?? new Set()).add(account.url))
  }
  return new Set([...profiles].filter(([, urls]) => urls.size > 1).map(([username]) => username))
}

function usernameOf(account: Mentioned): string {
  return account.acct.split('@', 1)[0] ?? account.acct
}
