// A status on its own screen: everything about it.
import { Pencil } from 'lucide'
import type { Status } from '../api/entities.ts'
import { settings } from '../state/settings.ts'
import { fill, fullNumber, fullTime, shortNumber, texts } from '../texts.ts'
import { AccountLink } from '../ui/account-line.tsx'
import { nameText } from '../ui/emoji-text.tsx'
import { Icon } from '../ui/icon.tsx'
import { webAddress } from '../ui/web-address.ts'
import { ApprovalLine } from './approval-line.tsx'
import { choiceOf } from './disclosure.ts'
import { FilteredStatus } from './filtered-status.tsx'
import { filteringOf } from './filters.ts'
import { languageName } from './language-name.ts'
import { statusPath } from './links.ts'
import { StatusActions } from './status-actions.tsx'
import { StatusBody } from './status-body.tsx'
import { VisibilityIcon } from './visibility.tsx'
import './status-detail.css'

export function StatusDetail({ status }: { status: Status }) {
  const { account } = status
  const filtering = filteringOf(status, 'thread')
  if (filtering && filtering.action !== 'blur' && !choiceOf(status.id, 'filter').value)
    return <FilteredStatus status={status} filtering={filtering} />
  return (
    <article
      class="status-detail"
      tabIndex={-1}
      data-status={status.id}
      aria-current="true"
      aria-label={nameText(account)}
    >
      <AccountLink account={account} size={48} />
      <ApprovalLine status={status} />
      <StatusBody status={status} filtering={filtering} isDetail />
      <Facts status={status} />
      <Counts status={status} />
      <StatusActions status={status} />
    </article>
  )
}

function Facts({ status }: { status: Status }) {
  const { application, created_at: at, edited_at: editedAt, visibility, language } = status
  return (
    <p class="status-facts">
      <time dateTime={at}>{fullTime(new Date(at))}</time>
      <span>
        <VisibilityIcon visibility={visibility} /> {texts.statuses.visibilities[visibility]}
      </span>
      {language && <span>{languageName(language)}</span>}
      {application?.name && (
        <span>
          {webAddress(application.website) ? (
            <a href={webAddress(application.website)} target="_blank" rel="noopener noreferrer nofollow">
              {application.name}
            </a>
          ) : (
            application.name
          )}
        </span>
      )}
      {editedAt && (
        <a href={`${statusPath(status)}/history`}>
          <Icon icon={Pencil} size={14} /> {texts.statuses.edited_at({ time: fullTime(new Date(editedAt)) })}
        </a>
      )}
    </p>
  )
}

/** They lead to the accounts behind the numbers. */
function Counts({ status }: { status: Status }) {
  const t = texts.statuses
  const counts = [
    { path: 'reblogs', count: status.reblogs_count, text: t.count_boosts },
    { path: 'quotes', count: status.quotes_count, text: t.count_quotes },
    { path: 'favourites', count: status.favourites_count, text: t.count_favourites },
  ].filter(({ count }) => count > 0)
  if (counts.length === 0) return null
  return (
    <p class="status-counts">
      {counts.map(({ path, count, text }) => (
        <a
          key={path}
          href={`${statusPath(status)}/${path}`}
          title={settings.value.hideCounts ? undefined : fullNumber(count)}
        >
          {fill(text({ count }), { number: !settings.value.hideCounts && <strong>{shortNumber(count)}</strong> })}
        </a>
      ))}
    </p>
  )
}
