// The address of a post that is pasted into the text may become a quote.
import { signal } from '@preact/signals'
import { Quote, X } from 'lucide'
import { api, read } from '../api/client.ts'
import type { Status } from '../api/entities.ts'
import { storeStatus } from '../state/statuses.ts'
import { mayQuote } from '../statuses/acts.ts'
import { fill, texts } from '../texts.ts'
import { DisplayName } from '../ui/account-line.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { changeDraft, currentDraft } from './current.ts'
import { narrower, type Draft } from './draft.ts'

type Offer = { postKey: string; address: string; status: Status }

const offer = signal<Offer | null>(null)

/** A quote belongs to the first post, and to one without other attachments. */
const mayGetQuote = ({ posts: [first], quote, edited }: Draft, postKey: string): boolean =>
  first?.key === postKey && !quote && !edited && first.media.length === 0 && !first.poll

/** Looks whether what was pasted is the address of a post that may be quoted. The text stays as it is. */
export async function offerQuote(postKey: string, pasted: string): Promise<void> {
  const address = pasted.trim()
  const draft = currentDraft.value
  if (!draft || !/^https?:\/\/\S+$/i.test(address) || !mayGetQuote(draft, postKey)) return
  try {
    const query = { q: address, type: 'statuses', resolve: true, limit: 1 } as const
    const [status] = (await read(api.GET('/api/v2/search', { params: { query } }))).statuses
    if (!status || !mayQuote(status)) return
    storeStatus(status)
    offer.value = { postKey, address, status }
  } catch (error) {
    // It stays a link.
    console.info(error)
  }
}

export function QuoteOffer({ draft }: { draft: Draft }) {
  const t = texts.compose
  const offered = offer.value
  const text = draft.posts[0]?.text ?? ''
  const isOffered = offered && mayGetQuote(draft, offered.postKey) && text.includes(offered.address)
  return (
    <div role="status">
      {isOffered && (
        <p class="composer-note quote-offer">
          <Icon icon={Quote} size={18} />
          <span>
            {fill(t.quote_offer, { name: <DisplayName account={offered.status.account} /> })}
            {offered.status.quote_approval.current_user === 'manual' && <small>{texts.statuses.quote_manual}</small>}
          </span>
          <Button onClick={() => quoteInstead(offered)}>{t.quote_this}</Button>
          <IconButton icon={X} label={t.leave_link} onClick={() => leaveLink(offered)} />
        </p>
      )}
    </div>
  )
}

function quoteInstead({ postKey, address, status }: Offer): void {
  const draft = currentDraft.value
  if (!draft) return
  const posts = draft.posts.map((post) =>
    post.key === postKey ? { ...post, text: without(post.text, address) } : post,
  )
  // As with Quote in the menu of the post.
  changeDraft({ posts, quote: status, visibility: narrower(draft.visibility, status.visibility) })
  leaveLink({ postKey })
}

/** The text goes on where the address was. */
const without = (text: string, address: string): string =>
  text
    .replace(address, '')
    .replace(/[^\S\n]+$/gm, '')
    .trimStart()

function leaveLink({ postKey }: Pick<Offer, 'postKey'>): void {
  offer.value = null
  document.querySelector<HTMLElement>(`[data-post='${postKey}'] .text-input`)?.focus()
}
