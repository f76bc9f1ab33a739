// Announcements of the server above the home timeline, until they are dismissed.
import { SmilePlus } from 'lucide'
import { api, read } from '../api/client.ts'
import type { Announcement } from '../api/entities.ts'
import { useLoaded } from '../state/loaded.ts'
import { fullNumber, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showError } from '../ui/toasts.tsx'
import '../ui/chips.css'
import './announcements.css'

/** What the menu offers; any other emoji can be added in other apps. */
const REACTIONS = ['👍', '❤️', '🎉', '😂', '😮', '😢', '🙏', '👀']

export function Announcements() {
  const announcements = useLoaded(() => read(api.GET('/api/v1/announcements')), [])
  const unread = (announcements.value ?? []).filter(({ read: isRead }) => !isRead)
  if (unread.length === 0) return null
  const replace = (changed: Announcement) =>
    announcements.set((announcements.value ?? []).map((each) => (each.id === changed.id ? changed : each)))
  const dismiss = (announcement: Announcement) => {
    replace({ ...announcement, read: true })
    read(api.POST('/api/v1/announcements/{id}/dismiss', { params: { path: { id: announcement.id } } })).catch(showError)
  }
  return (
    <section aria-label={texts.notifications.announcements}>
      {unread.map((announcement) => (
        <article key={announcement.id} class="announcement">
          <RichText html={announcement.content} emojis={announcement.emojis} />
          <small>
            <RelativeTime at={announcement.published_at} />
          </small>
          <div class="announcement-end">
            <Reactions announcement={announcement} onChange={replace} />
            <Button onClick={() => dismiss(announcement)}>{texts.notifications.dismiss_announcement}</Button>
          </div>
        </article>
      ))}
    </section>
  )
}

type ReactionsProps = { announcement: Announcement; onChange: (announcement: Announcement) => void }

function Reactions({ announcement, onChange }: ReactionsProps) {
  const { id, reactions } = announcement
  const react = async (name: string) => {
    const before = reactions.find((reaction) => reaction.name === name)
    const path = { params: { path: { id, name } } }
    onChange({ ...announcement, reactions: toggled(reactions, name) })
    try {
      if (before?.me) await read(api.DELETE('/api/v1/announcements/{id}/reactions/{name}', path))
      else await read(api.PUT('/api/v1/announcements/{id}/reactions/{name}', path))
    } catch (error) {
      onChange(announcement)
      showError(error)
    }
  }
  return (
    <div class="reactions">
      {reactions.map(({ name, count, me = false, url }) => (
        <button key={name} type="button" class="chip" aria-pressed={me} onClick={() => void react(name)}>
          {url ? <img class="emoji" src={url} alt={`:${name}:`} /> : name} {fullNumber(count)}
        </button>
      ))}
      <Menu
        label={texts.notifications.add_reaction}
        trigger={<Icon icon={SmilePlus} />}
        items={() => [REACTIONS.map((label) => ({ label, onSelect: () => void react(label) }))]}
      />
    </div>
  )
}

function toggled(reactions: Announcement['reactions'], name: string): Announcement['reactions'] {
  const known = reactions.find((reaction) => reaction.name === name)
  if (!known) return [...reactions, { name, count: 1, me: true }]
  const count = known.count + (known.me ? -1 : 1)
  return reactions
    .map((reaction) => (reaction === known ? { ...known, count, me: !known.me } : reaction))
    .filter(({ count: left }) => left > 0)
}
