// The post of another server that a status links to, below it. The server is asked only when the viewer presses the button: otherwise
// everyone who scrolls past would have it ask the other server.
import { signal, type Signal } from '@preact/signals'
import { MessageSquareQuote } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import { RecentMap } from '../state/recent-map.ts'
import { findStatus, storeStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'
import { showError, showToast } from '../ui/toasts.tsx'
import { filteringOf, useFilterContext } from './filters.ts'
import { QuotedStatus } from './quote-block.tsx'
import './linked-address.css'

type Lookup = { isLoading: boolean; id: string | null }

/** By address. They outlive the component: lists take items out of the document and put them back. */
const lookups = new RecentMap<Signal<Lookup>>(300)

const lookupOf = (address: string): Signal<Lookup> =>
  lookups.getOr(address, () => signal<Lookup>({ isLoading: false, id: null }))

async function find(address: string): Promise<void> {
  const lookup = lookupOf(address)
  if (lookup.value.isLoading) return
  lookup.value = { isLoading: true, id: null }
  let id = null
  try {
    const query = { q: address, resolve: true, type: 'statuses', limit: 1 } as const
    const [status] = (await read(api.GET('/api/v2/search', { params: { query } }))).statuses
    if (status) {
      storeStatus(status)
      id = status.id
    } else showToast(texts.search.not_resolved, { isError: true })
  } catch (error) {
    showError(error)
  }
  lookup.value = { isLoading: false, id }
}

/** `children`: the preview of the link, until the post is shown. */
export function LinkedAddress({ address, children }: { address: string; children: ComponentChildren }) {
  const { isLoading, id } = lookupOf(address).value
  const status = id === null ? null : findStatus(id)?.value
  const context = useFilterContext()
  const place = useRef<HTMLDivElement>(null)
  const isPressed = useRef(false)
  const isShown = !!status
  useEffect(() => {
    // The button has gone, and the focus with it.
    if (isShown && isPressed.current && document.activeElement === document.body)
      place.current?.querySelector('a')?.focus({ preventScroll: true })
  }, [isShown])
  const press = () => {
    isPressed.current = true
    void find(address)
  }
  return (
    <div ref={place}>
      {status ? (
        <QuotedStatus status={status} filtering={filteringOf(status, context)} label={texts.linked.post} />
      ) : (
        <>
          {children}
          <p class="linked-line">
            <button type="button" class="link-button" aria-busy={isLoading} onClick={press}>
              <Icon icon={MessageSquareQuote} size={16} /> {isLoading ? texts.frame.loading : texts.linked.show}
            </button>
          </p>
        </>
      )}
    </div>
  )
}
