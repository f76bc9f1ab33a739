// The status that a status quotes, or why it is not shown.
import { Quote as QuoteIcon } from 'lucide'
import { useLocation } from 'preact-iso'
import type { Quote, Status } from '../api/entities.ts'
import { isMe } from '../state/me.ts'
import { findStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { Avatar, DisplayName } from '../ui/account-line.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { ContentWarning, showsContent } from './content-warning.tsx'
import { choiceOf } from './disclosure.ts'
import { filteringOf, useFilterContext, type Filtering } from './filters.ts'
import { openByClick, statusPath } from './links.ts'
import { MediaGrid } from './media-grid.tsx'
import './quote-block.css'

/** `by`: the status that quotes. */
export function QuoteBlock({ quote, by }: { quote: Quote; by: Status }) {
  const choice = choiceOf(by.id, 'filter')
  const given = quote.quoted_status as Status | null
  const known = given && findStatus(given.id)
  const quoted = known ? known.value : given
  const context = useFilterContext()
  const filtering: Filtering = quoted && filteringOf(quoted, context)
  const isWithheld = quote.state !== 'accepted' || (filtering !== null && filtering.action !== 'blur')
  if (!quoted || (isWithheld && !choice.value))
    return (
      <div class={quote.state === 'pending' ? 'quoted withheld pending' : 'quoted withheld'}>
        <Icon icon={QuoteIcon} size={18} />
        <p>{withheldText(quote, by, filtering)}</p>
        {quoted && <Button onClick={() => (choice.value = true)}>{texts.statuses.show_anyway}</Button>}
      </div>
    )
  return <QuotedStatus status={quoted} filtering={filtering} label={texts.statuses.quoted_post} />
}

function withheldText({ state }: Quote, by: Status, filtering: Filtering): string {
  const t = texts.statuses.quote_states
  if (state === 'pending') return isMe(by.account.id) ? t.pending_own : t.pending
  if (state === 'accepted') return filtering ? t.filtered({ filters: filtering.titles.join(', ') }) : t.deleted
  return t[state]
}

type QuotedStatusProps = { status: Status; filtering: Filtering; label: string }

/** A small status within another one. */
export function QuotedStatus({ status, filtering, label }: QuotedStatusProps) {
  const { route } = useLocation()
  const { account, media_attachments: media, quote, poll } = status
  const open = (event: MouseEvent) => openByClick(event, status, route)
  return (
    <blockquote class="quoted" aria-label={label} onClick={open} onAuxClick={open}>
      <a class="quoted-header" href={statusPath(status)}>
        <Avatar account={account} size={24} />
        <span class="quoted-names">
          <DisplayName account={account} />
          <bdi class="handle">@{account.acct}</bdi>
        </span>
        <span class="status-time">
          <RelativeTime at={status.created_at} />
        </span>
      </a>
      <ContentWarning status={status} />
      {showsContent(status) && (
        <>
          <div class="quoted-text">
            <RichText
              html={status.content}
              emojis={status.emojis}
              mentions={status.mentions}
              language={status.language}
            />
          </div>
          {poll && <p class="quoted-more">{texts.statuses.poll}</p>}
          {media.length > 0 && (
            <MediaGrid
              status={status}
              filteredBy={filtering?.action === 'blur' ? filtering.titles.join(', ') : undefined}
            />
          )}
          {quote && <p class="quoted-more">{texts.statuses.quotes_another}</p>}
        </>
      )}
    </blockquote>
  )
}
