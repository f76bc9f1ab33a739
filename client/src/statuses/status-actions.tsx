// The buttons for acts of the viewer on a status.
import { Bookmark, Ellipsis, Globe, Lock, MessageCircle, MessageSquareQuote, Moon, Repeat2, Star } from 'lucide'
import type { Status } from '../api/entities.ts'
import { openComposer, type Place } from '../compose/open.ts'
import { isMe } from '../state/me.ts'
import { settings } from '../state/settings.ts'
import { shortNumber, texts } from '../texts.ts'
import { IconButton, withCount } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuGroup, type MenuItem } from '../ui/menu.tsx'
import { bookmark, favourite, mayQuote, quote, reblog } from './acts.ts'
import { moreItems } from './status-menu.ts'

const countText = (count: number): string | undefined =>
  count > 0 && !settings.value.hideCounts ? shortNumber(count) : undefined

/** A reply is written below `place`, or in a dialog. */
export function StatusActions({ status, place }: { status: Status; place?: Place }) {
  const t = texts.statuses
  const boosts = countText(status.reblogs_count)
  return (
    <div class="status-actions" role="group" aria-label={t.actions}>
      <IconButton
        icon={MessageCircle}
        tone="reply"
        label={t.reply}
        count={countText(status.replies_count)}
        onClick={() => openComposer({ inReplyTo: status, ...(place ? { place } : {}) })}
      />
      <Menu
        label={withCount(status.reblogged ? t.boosted : t.boost, boosts)}
        tone="boost"
        isOn={status.reblogged === true}
        align="start"
        trigger={
          <>
            <Icon icon={Repeat2} />
            {boosts && <span class="count">{boosts}</span>}
          </>
        }
        items={() => [boostItems(status), [quoteItem(status)]]}
      />
      <IconButton
        icon={Star}
        tone="favourite"
        label={t.favourite}
        title={status.favourited ? t.undo_favourite : t.favourite}
        pressed={status.favourited === true}
        count={countText(status.favourites_count)}
        onClick={() => void favourite(status)}
      />
      <IconButton
        icon={Bookmark}
        tone="bookmark"
        label={t.bookmark}
        title={status.bookmarked ? t.undo_bookmark : t.bookmark}
        pressed={status.bookmarked === true}
        onClick={() => void bookmark(status)}
      />
      <Menu label={t.more} trigger={<Icon icon={Ellipsis} />} items={() => moreItems(status)} />
    </div>
  )
}

function boostItems(status: Status): MenuGroup {
  const t = texts.statuses
  const { visibility } = status
  if (status.reblogged) return [{ label: t.undo_boost, icon: Repeat2, onSelect: () => void reblog(status) }]
  if (visibility === 'direct' || (visibility === 'private' && !isMe(status.account.id)))
    return [{ label: t.boost, icon: Repeat2, disabled: true, hint: t.boost_denied }]
  if (visibility === 'private')
    return [{ label: t.boost_private, icon: Lock, onSelect: () => void reblog(status, 'private') }]
  return [
    { label: t.boost, hint: t.boost_public, icon: Globe, onSelect: () => void reblog(status) },
    { label: t.boost_unlisted, icon: Moon, onSelect: () => void reblog(status, 'unlisted') },
    { label: t.boost_private, icon: Lock, onSelect: () => void reblog(status, 'private') },
  ]
}

function quoteItem(status: Status): MenuItem {
  const t = texts.statuses
  const isAllowed = mayQuote(status)
  const isManual = status.quote_approval.current_user === 'manual'
  return {
    label: t.quote,
    icon: MessageSquareQuote,
    disabled: !isAllowed,
    onSelect: () => quote(status),
    ...(isManual ? { hint: t.quote_manual } : isAllowed ? {} : { hint: t.quote_denied }),
  }
}
