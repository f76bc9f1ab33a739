// What the viewer can do with a status.
import { Bookmark, Ellipsis, MessageCircle, Repeat2, Star } from 'lucide'
import type { Status } from '../api/entities.ts'
import { shortNumber, texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { showToast } from '../ui/toasts.tsx'
import { bookmark, favourite, reblog } from './acts.ts'

const countText = (count: number): string | undefined => (count > 0 ? shortNumber(count) : undefined)

export function StatusActions({ status }: { status: Status }) {
  const t = texts.statuses
  return (
    <div class="status-actions" role="group" aria-label={t.actions}>
      <IconButton icon={MessageCircle} tone="reply" label={t.reply} count={countText(status.replies_count)} />
      <IconButton
        icon={Repeat2}
        tone="boost"
        label={status.reblogged ? t.undo_boost : t.boost}
        pressed={status.reblogged === true}
        count={countText(status.reblogs_count)}
        disabled={status.visibility === 'direct'}
        onClick={() => void reblog(status)}
      />
      <IconButton
        icon={Star}
        tone="favourite"
        label={status.favourited ? t.undo_favourite : t.favourite}
        pressed={status.favourited === true}
        count={countText(status.favourites_count)}
        onClick={() => void favourite(status)}
      />
      <IconButton
        icon={Bookmark}
        tone="bookmark"
        label={status.bookmarked ? t.undo_bookmark : t.bookmark}
        pressed={status.bookmarked === true}
        onClick={() => void bookmark(status)}
      />
      <Menu label={t.more} trigger={<Icon icon={Ellipsis} />} items={() => moreItems(status)} />
    </div>
  )
}

function moreItems(status: Status): MenuItem[][] {
  const t = texts.statuses
  const address = status.url ?? status.uri
  return [
    [
      {
        label: t.copy_link,
        onSelect: () => void navigator.clipboard.writeText(address).then(() => showToast(t.link_copied)),
      },
      { label: t.open_original, href: address },
    ],
  ]
}
