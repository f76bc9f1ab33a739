// A status in a list. A boost shows the boosted status under a line that names who boosted.
import { CornerDownRight, Repeat2 } from 'lucide'
import { useLocation } from 'preact-iso'
import type { ComponentChildren, RefObject } from 'preact'
import { useId, useRef } from 'preact/hooks'
import type { Status } from '../api/entities.ts'
import { composeRequest, placedComposer, type Place } from '../compose/open.ts'
import { findAccount } from '../state/accounts.ts'
import { findStatus } from '../state/statuses.ts'
import { fill, texts } from '../texts.ts'
import { NameLink } from '../ui/account-line.tsx'
import { nameText } from '../ui/emoji-text.tsx'
import { Icon } from '../ui/icon.tsx'
import { ApprovalLine } from './approval-line.tsx'
import { choiceOf } from './disclosure.ts'
import { FilteredStatus } from './filtered-status.tsx'
import { filteringOf, useFilterContext, type Filtering } from './filters.ts'
import { openByClick } from './links.ts'
import { StatusActions } from './status-actions.tsx'
import { StatusBody } from './status-body.tsx'
import { StatusHeader } from './status-header.tsx'
import { VISIBILITY_ICONS } from './visibility.tsx'
import './status-item.css'

type StatusItemProps = {
  id: string
  /** Ids of boosts of it, newest first. */
  boosts?: readonly string[]
  /** Ids of the author's later posts of the thread, in reading order. */
  thread?: readonly string[]
  /** Set where the parent of the status is in view. */
  hidesReplyLine?: boolean
  /** Too narrow to write a reply in it. */
  isCard?: boolean
}

export function StatusItem({ id, boosts = [], thread = [], hidesReplyLine = false, isCard = false }: StatusItemProps) {
  const article = useRef<HTMLElement>(null)
  const status = findStatus(id)?.value
  const context = useFilterContext()
  if (!status) return null
  const filtering = filteringOf(status, context)
  const isRevealed = choiceOf(id, 'filter').value
  if (filtering?.action === 'hide' && !isRevealed) return null
  const reason = (
    <>
      {boosts.length > 0 && <BoostLine boosts={boosts} />}
      {status.visibility === 'direct' && <PrivateLine />}
      {!hidesReplyLine && <ReplyLine status={status} />}
    </>
  )
  return (
    <>
      {filtering?.action === 'warn' && !isRevealed ? (
        <FilteredStatus status={status} filtering={filtering} />
      ) : (
        <>
          <StatusArticle status={status} filtering={filtering} article={article} repliesInPlace={!isCard}>
            {reason}
          </StatusArticle>
          {!isCard && <ReplyPlace place={article} />}
        </>
      )}
      {thread.map((each) => (
        <StatusItem key={each} id={each} hidesReplyLine />
      ))}
    </>
  )
}

function BoostLine({ boosts }: { boosts: readonly string[] }) {
  const account = findStatus(boosts[0] ?? '')?.value?.account
  if (!account) return null
  const name = <NameLink account={account} />
  const others = boosts.length - 1
  return (
    <p class="status-reason">
      <Icon icon={Repeat2} size={16} />
      <span>
        {fill(others > 0 ? texts.statuses.boosted_by_many({ count: others }) : texts.statuses.boosted_by, { name })}
      </span>
    </p>
  )
}

/** Among public posts, it could be taken for one. */
const PrivateLine = () => (
  <p class="status-reason">
    <Icon icon={VISIBILITY_ICONS.direct} size={16} />
    {texts.statuses.visibilities.direct}
  </p>
)

/** What it answers is one tap away. */
function ReplyLine({ status }: { status: Status }) {
  const { in_reply_to_id: parent, in_reply_to_account_id: accountId, account, mentions } = status
  if (!parent || !accountId) return null
  const acct = findAccount(accountId)?.value.acct ?? mentions.find(({ id }) => id === accountId)?.acct
  const isOwn = accountId === account.id
  if (!isOwn && !acct) return null
  return (
    <p class="status-reason">
      <Icon icon={CornerDownRight} size={16} />
      <a href={`/@${isOwn ? account.acct : acct}/${parent}`}>
        {isOwn ? texts.statuses.continues : fill(texts.statuses.reply_to, { name: <bdi>@{acct}</bdi> })}
      </a>
    </p>
  )
}

type ArticleProps = {
  status: Status
  filtering: Filtering
  article: RefObject<HTMLElement | null>
  repliesInPlace: boolean
  children: ComponentChildren
}

function StatusArticle({ status, filtering, article, repliesInPlace, children }: ArticleProps) {
  const { route } = useLocation()
  const { account } = status
  const body = useId()
  return (
    <article
      ref={article}
      class="status"
      tabIndex={0}
      aria-label={nameText(account)}
      aria-describedby={body}
      data-status={status.id}
      onClick={(event) => openByClick(event, status, route)}
      onAuxClick={(event) => openByClick(event, status, route)}
    >
      {children}
      <StatusHeader status={status} />
      <ApprovalLine status={status} />
      <StatusBody id={body} status={status} filtering={filtering} />
      <StatusActions status={status} {...(repliesInPlace ? { place: article } : {})} />
    </article>
  )
}

/** Shows the composer while a reply is written below `place`. */
function ReplyPlace({ place }: { place: Place }) {
  const request = composeRequest.value
  const Composer = placedComposer.value
  return request?.place === place && Composer ? <Composer key={request} request={request} /> : null
}
