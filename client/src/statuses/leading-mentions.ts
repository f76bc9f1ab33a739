// The mentions that a reply begins with. In long conversations they are longer than what is said.
import type { Status } from '../api/entities.ts'

type SplitMentions = {
  html: string
  /** Handles, without the @; empty where all stay in the text. */
  mentions: string[]
}

/** Up to this many stay in the text. */
const MAX_IN_TEXT = 2

/** Takes them off the text of a reply. */
export function splitMentions(html: string, status: Pick<Status, 'mentions' | 'in_reply_to_id'>): SplitMentions {
  if (status.in_reply_to_id === null || status.mentions.length <= MAX_IN_TEXT) return { html, mentions: [] }
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const [paragraph] = body.children
  if (paragraph?.localName !== 'p') return { html, mentions: [] }
  const found: ChildNode[] = []
  const mentions = new Set<string>()
  for (const node of paragraph.childNodes) {
    const acct = node instanceof HTMLElement ? handleIn(node, status) : null
    if (acct) mentions.add(acct)
    else if (node.nodeType !== Node.TEXT_NODE || node.textContent?.trim() !== '') break
    found.push(node)
  }
  if (mentions.size <= MAX_IN_TEXT) return { html, mentions: [] }
  for (const node of found) node.remove()
  if (paragraph.firstChild?.nodeName === 'BR') paragraph.firstChild.remove()
  const [first] = paragraph.childNodes
  if (first?.nodeType === Node.TEXT_NODE) first.textContent = first.textContent?.trimStart() ?? ''
  return { html: body.innerHTML, mentions: [...mentions] }
}

/** Null when there is anything but a mention in it. */
function handleIn(element: HTMLElement, { mentions }: Pick<Status, 'mentions'>): string | null {
  const link = element.matches('a') ? element : element.querySelector('a')
  if (!link || link.textContent !== element.textContent) return null
  return mentions.find(({ url }) => url === link.getAttribute('href'))?.acct ?? null
}
