// What a status says: content warning, text, poll, media, quote, link.
import { Languages } from 'lucide'
import { ErrorBoundary } from 'preact-iso'
import type { Status } from '../api/entities.ts'
import { fill, texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'
import { lazy } from '../ui/lazy.tsx'
import { ContentWarning, showsContent } from './content-warning.tsx'
import type { Filtering } from './filters.ts'
import { languageName } from './language-name.ts'
import { linkedAddress, linkedId } from './links.ts'
import { LinkCard } from './link-card.tsx'
import { MediaGrid } from './media-grid.tsx'
import { PollView } from './poll.tsx'
import { QuoteBlock } from './quote-block.tsx'
import { StatusText } from './status-text.tsx'
import { isTranslatable, toggleTranslation, translate, translationOf } from './translation.ts'

const LinkedAddress = lazy(() => import('./linked-address.tsx').then((m) => m.LinkedAddress))
const LinkedStatus = lazy(() => import('./linked-status.tsx').then((m) => m.LinkedStatus))

type StatusBodyProps = {
  /** The id of the element that describes the status to screen readers when keys lead to it. */
  id?: string
  status: Status
  /** What filters do to it besides hiding the whole. */
  filtering: Filtering
  isDetail?: boolean
}

export function StatusBody({ id, status: original, filtering, isDetail = false }: StatusBodyProps) {
  const state = translationOf(original).value
  const translation = state.isShown ? state.translation : null
  const status = translation ? translate(original, translation) : original
  const { spoiler_text: warning, media_attachments: media, poll, card, quote } = status
  const linked = linkedId(original)
  const elsewhere = linked === null ? linkedAddress(original) : null
  const shownCard = card && media.length === 0 && !quote && !linked && (
    <LinkCard card={card} isHidden={status.sensitive && !warning} />
  )
  const filteredBy = filtering?.action === 'blur' ? filtering.titles.join(', ') : undefined
  return (
    <div id={id} class={isDetail ? 'status-body detail' : 'status-body'}>
      <ContentWarning status={status} />
      {showsContent(status) && (
        <>
          <StatusText status={status} isDetail={isDetail} />
          <TranslateLine status={original} />
          {poll && (
            <PollView status={original} poll={poll} titles={translation?.poll?.options.map(({ title }) => title)} />
          )}
          {media.length > 0 && <MediaGrid status={status} filteredBy={filteredBy} />}
          {quote && <QuoteBlock quote={quote} by={original} />}
          {linked && (
            <ErrorBoundary>
              <LinkedStatus id={linked} />
            </ErrorBoundary>
          )}
          {elsewhere ? (
            <ErrorBoundary>
              <LinkedAddress address={elsewhere}>{shownCard}</LinkedAddress>
            </ErrorBoundary>
          ) : (
            shownCard
          )}
        </>
      )}
    </div>
  )
}

function TranslateLine({ status }: { status: Status }) {
  const { translation, isShown, isLoading } = translationOf(status).value
  if (!isTranslatable(status)) return null
  const t = texts.statuses
  const from = translation?.detected_source_language ?? status.language ?? ''
  return (
    <p class="translate-line">
      {isShown && translation && (
        <small>
          {fill(t.translated_from, { language: languageName(from), provider: <bdi>{translation.provider}</bdi> })}
        </small>
      )}
      <button type="button" class="link-button" aria-busy={isLoading} onClick={() => void toggleTranslation(status)}>
        <Icon icon={Languages} size={16} /> {isShown ? t.show_original : t.translate}
      </button>
    </p>
  )
}
