// A status with its thread. It paints at once from what is known, and stays where it is when the rest arrives.
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useRelationshipChanges } from '../accounts/relationship-changes.ts'
import { isGone } from '../api/client.ts'
import type { Status } from '../api/entities.ts'
import { findStatus } from '../state/statuses.ts'
import { colon, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { ColumnContext } from '../ui/column.ts'
import { emojify, nameText, plainName } from '../ui/emoji-text.tsx'
import { NewPill } from '../ui/new-pill.tsx'
import { Page, useWasPush } from '../ui/page.tsx'
import { htmlToPlainText } from '../ui/plain-text.ts'
import { Empty, Failed, Loading } from '../ui/state-message.tsx'
import { filteringOf } from './filters.ts'
import { StatusDetail } from './status-detail.tsx'
import { StatusItem } from './status-item.tsx'
import { RevealThread } from './reveal-thread.tsx'
import { ThreadReplies } from './thread-replies.tsx'
import { threadOf, type Thread } from './thread.ts'
import './thread.css'

export function StatusScreen({ id }: { id: string }) {
  const thread = useMemo(() => threadOf(id), [id])
  useEffect(() => thread.open(), [thread])
  useRelationshipChanges(() => void loadAgain(thread), thread)
  const isFailed = thread.state.value === 'failed'
  const status = findStatus(id)?.value
  if (status?.reblog) return <StatusScreen key={status.reblog.id} id={status.reblog.id} />
  const title = status ? texts.statuses.post_by({ name: isolateName(nameText(status.account)) }) : texts.statuses.post
  return (
    <Page
      title={status ? windowTitle(status, title) : title}
      heading={emojify(title, status?.account.emojis ?? [])}
      actions={status && <RevealThread thread={thread} />}
    >
      {status ? (
        <ThreadView key={id} thread={thread} />
      ) : isFailed || status === null ? (
        <Missing thread={thread} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}

/** Without the replies of an account that was just blocked or muted. The focus may be in one of them. */
async function loadAgain(thread: Thread): Promise<void> {
  const focused = document.activeElement
  await thread.load()
  requestAnimationFrame(() => {
    if (!focused?.isConnected) document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true })
  })
}

const EXCERPT = 80

/** Tabs and the history name a post by how it begins, unless a filter hides that. */
function windowTitle(status: Status, title: string): string {
  const { account, content, spoiler_text: warning } = status
  const text = (warning || htmlToPlainText(content)).trim().replaceAll(/\s+/g, ' ')
  if (!text || filteringOf(status, 'thread')) return title
  const characters = Array.from(text)
  const excerpt = characters.length > EXCERPT ? `${characters.slice(0, EXCERPT).join('')}…` : text
  return `${isolateName(plainName(account))}${colon}${isolateName(excerpt)}`
}

/** Names in a sentence keep their own direction, in every language, also where there is no markup. */
const isolateName = (name: string): string => `\u2068${name}\u2069`

/** Deleted, private and unknown statuses look the same to a viewer who may not see them. */
function Missing({ thread }: { thread: Thread }) {
  const error = thread.error.value
  if (findStatus(thread.id)?.value === null || isGone(error)) return <Empty>{texts.statuses.gone}</Empty>
  return <Failed error={error} retry={() => void thread.load()} />
}

function ThreadView({ thread }: { thread: Thread }) {
  const status = findStatus(thread.id)?.value
  const ancestors = thread.ancestors.value
  const frame = usePlace(thread)
  if (!status) return null
  return (
    <div class="thread">
      <div ref={frame}>
        <Ancestors ids={ancestors} />
      </div>
      <div class={ancestors.length > 0 ? 'thread-main after-ancestors' : 'thread-main'}>
        <StatusDetail status={status} />
        {thread.state.value === 'failed' && <Failed error={thread.error.value} retry={() => void thread.load()} />}
        <NewPill
          count={thread.pending.value.length}
          label={texts.statuses.more_replies}
          show={() => thread.showPending()}
          staysInPlace
        />
        <ThreadReplies thread={thread} />
      </div>
    </div>
  )
}

/** How many ancestors the document has at first, and how many each press of the button adds. */
const ANCESTORS = 40

function Ancestors({ ids }: { ids: string[] }) {
  const [count, setCount] = useState(ANCESTORS)
  const hidden = Math.max(0, ids.length - count)
  return (
    <>
      {hidden > 0 && (
        <p class="thread-note">
          <Button onClick={() => setCount(count + ANCESTORS)}>{texts.statuses.earlier_posts({ count: hidden })}</Button>
        </p>
      )}
      {ids.slice(hidden).map((id) => (
        <div key={id} class="thread-row leads-on follows">
          <StatusItem id={id} hidesReplyLine />
        </div>
      ))}
    </>
  )
}

/** Milliseconds without scrolling after which the place is remembered. */
const SETTLED = 150

/**
 * Keeps the status where it is while what stands above it grows, unless the reader has scrolled up to that. Going back
 * finds the screen where it was left. Returns the ref of what stands above.
 */
function usePlace(thread: Thread): { current: HTMLDivElement | null } {
  const { scroller } = useContext(ColumnContext)
  const wasPush = useWasPush()
  const above = useRef<HTMLDivElement>(null)
  const target = scroller ?? window
  useLayoutEffect(() => {
    const back = wasPush ? null : thread.position
    if (wasPush) thread.position = null
    let height = back ? (above.current?.offsetHeight ?? 0) : 0
    if (back) target.scrollTo(0, back.offset)
    const observer = new ResizeObserver(([entry]) => {
      const grown = (entry?.contentRect.height ?? 0) - height
      const bottom = (above.current?.getBoundingClientRect().bottom ?? 0) - grown
      height += grown
      if (grown !== 0 && bottom <= edgeOf(scroller)) target.scrollBy(0, grown)
    })
    if (above.current) observer.observe(above.current)
    let timer: ReturnType<typeof setTimeout> | undefined
    // Reading the offset makes the browser compute the layout, so it waits for a rest.
    const remember = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const offset = scroller ? scroller.scrollTop : scrollY
        thread.position = { offset, measurements: thread.position?.measurements ?? [] }
      }, SETTLED)
    }
    // Not `scrollend`, which older versions of Safari lack.
    target.addEventListener('scroll', remember, { passive: true })
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      target.removeEventListener('scroll', remember)
    }
  }, [thread])
  return above
}

/** Pixels below the top of the window where the content begins: below the header, with some play. */
function edgeOf(scroller: HTMLElement | null): number {
  return (scroller?.getBoundingClientRect().top ?? 0) + 80
}
