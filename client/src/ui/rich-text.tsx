// The HTML of posts and profiles. The server has sanitised it; only the elements named here are shown all the same.
import { h, type ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useMemo } from 'preact/hooks'
import type { CustomEmoji, StatusMention } from '../api/entities.ts'
import { emojify } from './emoji-text.tsx'
import { opensHere } from './opens-here.ts'
import { tagPath } from './tag-path.ts'
import { hostOfAddress, isPostAddress, webAddress } from './web-address.ts'
import './rich-text.css'

const ELEMENTS = new Set(
  'p br span a em strong b i u s del small sub sup code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 ruby rt rp'.split(
    ' ',
  ),
)

/** How deep the elements of a post may be nested, and how many it may have. */
const MAX_DEPTH = 24
const MAX_ELEMENTS = 4000

type RichTextProps = {
  html: string
  emojis?: readonly CustomEmoji[]
  mentions?: readonly StatusMention[]
  language?: string | null
}

/** One and the same, so that the text is not rendered again. */
const NONE: readonly never[] = []

export function RichText({ html, emojis = NONE, mentions = NONE, language }: RichTextProps) {
  const content = useMemo(() => renderHtml(html, { emojis, mentions }), [html, emojis, mentions])
  return (
    <div class="rich-text" dir="auto" lang={language || undefined}>
      {content}
    </div>
  )
}

/** Opens here: this server may know the post, or looks it up. */
function PostLink({ address, children }: { address: string; children: ComponentChildren }) {
  const { route } = useLocation()
  const openHere = (event: MouseEvent) => {
    if (!opensHere(event)) return
    event.preventDefault()
    route(`/search?q=${encodeURIComponent(address)}`)
  }
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" onClick={openHere}>
      {children}
    </a>
  )
}

const VISIBLE_CHARACTERS = 30

/** A link whose text is its whole address, as some software sends it, reads like one of this server: copied, it is whole. */
function shortenAddress(link: HTMLAnchorElement, children: ComponentChildren[]): ComponentChildren[] {
  const text = link.textContent ?? ''
  const start = link.childElementCount === 0 && /^https?:\/\/(?:www\.)?/i.exec(text)?.[0]
  if (!start) return children
  const characters = Array.from(text.slice(start.length))
  const rest = characters.splice(VISIBLE_CHARACTERS).join('')
  return [
    <span class="invisible">{start}</span>,
    <span class={rest ? 'ellipsis' : undefined}>{characters.join('')}</span>,
    rest && <span class="invisible">{rest}</span>,
  ]
}

const NAMED_HOST = /^\s*(?:https?:\/\/)?([^\s/?#:@…]+\.\p{L}[^\s/?#:@.…]+)/iu

/** The host that a link leads to, where what one sees of its text names another one. */
function concealedHost(link: HTMLAnchorElement, address: string): ComponentChildren {
  const shown = link.cloneNode(true) as HTMLAnchorElement
  for (const hidden of shown.querySelectorAll('.invisible')) hidden.remove()
  const named = webAddress(`https://${NAMED_HOST.exec(shown.textContent ?? '')?.[1] ?? ''}`)
  const host = hostOfAddress(address)
  if (!named || hostOfAddress(named) === host) return null
  return (
    <span class="link-host">
      {' '}
      [<bdi>{host}</bdi>]
    </span>
  )
}

/** Where a link leads within this server: its own addresses, and profiles that mentions of other servers name. */
function pathHere(link: HTMLAnchorElement, address: string): string | null {
  const { origin, host, pathname, search, hash } = new URL(address)
  // Two slashes at the beginning would lead to another server.
  if (origin === location.origin) return pathname.startsWith('//') ? null : pathname + search + hash
  const username = link.classList.contains('mention') && /^\/(?:@|users\/)(\w+)$/.exec(pathname)?.[1]
  return username ? `/@${username}@${host}` : null
}

/** Misskey has no class for them. */
const isHashtag = ({ classList, relList }: HTMLAnchorElement): boolean =>
  classList.contains('hashtag') || relList.contains('tag')

type Links = { emojis: readonly CustomEmoji[]; mentions: readonly StatusMention[] }

function renderHtml(html: string, links: Links): ComponentChildren {
  let count = 0
  const render = (node: Node, depth: number): ComponentChildren => {
    if (node.nodeType === Node.TEXT_NODE) return emojify(node.textContent ?? '', links.emojis)
    if (!(node instanceof HTMLElement) || depth > MAX_DEPTH || (count += 1) > MAX_ELEMENTS) return node.textContent
    const children = [...node.childNodes].map((child) => render(child, depth + 1))
    const name = node.localName
    if (name === 'a') return renderLink(node as HTMLAnchorElement, children, links)
    if (!ELEMENTS.has(name)) return children
    const look = node.className.match(/\b(invisible|ellipsis|quote-inline)\b/)?.[0]
    return h(name, { ...(look ? { class: look } : {}), ...(node.lang ? { lang: node.lang } : {}) }, ...children)
  }
  // Documents made by DOMParser run no scripts and load no images.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return [...body.childNodes].map((node) => render(node, 0))
}

function renderLink(link: HTMLAnchorElement, content: ComponentChildren[], { mentions }: Links): ComponentChildren {
  const address = webAddress(link.getAttribute('href'))
  if (!address) return content
  const children = shortenAddress(link, content)
  const mention = link.classList.contains('mention') && mentions.find(({ url }) => url === address)
  if (mention)
    return (
      <a class="mention" href={`/@${mention.acct}`} data-account={mention.id}>
        {children}
      </a>
    )
  const tag = isHashtag(link) && /^#?\s*(\S+)$/.exec(link.textContent ?? '')?.[1]?.replace(/^#/, '')
  if (tag)
    return (
      <a class="hashtag" href={tagPath(tag)}>
        {children}
      </a>
    )
  const path = pathHere(link, address)
  if (path !== null) return <a href={path}>{children}</a>
  const shown = [...children, concealedHost(link, address)]
  if (isPostAddress(address)) return <PostLink address={address}>{shown}</PostLink>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
    </a>
  )
}
