// The addresses of statuses, and clicks on statuses.
import type { Status } from '../api/entities.ts'
import { isPostAddress, webAddress } from '../ui/web-address.ts'

export const statusPath = (status: Pick<Status, 'id' | 'account'>): string => `/@${status.account.acct}/${status.id}`

/** The id of the status at an address of this server, such as `/@user/123`. */
function idAt(address: string): string | null {
  const start = `${location.origin}/@`
  return address.startsWith(start) ? (/^[^/?#]+\/(\d{1,18})$/.exec(address.slice(start.length))?.[1] ?? null) : null
}

/** The id of the first status of this server that a status links to, unless it has a quote or the card of another page. */
export function linkedId({ id, content, quote, card }: Status): string | null {
  if (quote || (card && idAt(card.url) === null) || !content.includes(location.origin)) return null
  const ids = content.matchAll(/href="([^"]+)"/g).map(([, address = '']) => idAt(address))
  return ids.find((each) => each !== null && each !== id) ?? null
}

/** The address of the first post of another server that a status links to, unless it has a quote or the card of another page. */
export function linkedAddress({ content, quote, card, url, uri }: Status): string | null {
  if (quote || (card && !isPostElsewhere(card.url))) return null
  const addresses = content.matchAll(/href="([^"]+)"/g).map(([, address = '']) => address)
  return addresses.find((each) => isPostElsewhere(each) && each !== url && each !== uri) ?? null
}

const isPostElsewhere = (address: string): boolean =>
  webAddress(address) !== undefined && !address.startsWith(`${location.origin}/`) && isPostAddress(address)

const PARTS = ['reblogs', 'favourites', 'quotes', 'history'] as const

/** What may follow the address of a status. */
export type StatusPart = (typeof PARTS)[number]

export const isStatusPart = (part: string): part is StatusPart => PARTS.some((each) => each === part)

/** For clicks beside the links of a status: opens it, in a new tab where one would get a link there. */
export function openByClick(event: MouseEvent, status: Status, route: (path: string) => void): void {
  if (!isPlainClick(event)) return
  // A quoted status stands in another one.
  event.stopPropagation()
  const isForTab = event.ctrlKey || event.metaKey || event.button === 1
  if (isForTab) open(statusPath(status), '_blank', 'noopener')
  else if (event.button === 0) route(statusPath(status))
}

/** Clicks on links, buttons and media have their own meaning, and a selection of text is no click. */
function isPlainClick(event: MouseEvent): boolean {
  const control = (event.target as Element).closest(
    'a, button, input, label, summary, video, audio, iframe, dialog, [popover]',
  )
  return !control && !event.defaultPrevented && getSelection()?.isCollapsed !== false
}
