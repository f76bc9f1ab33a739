// Announcements of the server, behind a button above the home timeline: whenever they arrive, no post moves.
import { Megaphone, SmilePlus } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { Announcement } from '../api/entities.ts'
import { EmojiButton } from '../compose/emoji-button.tsx'
import { customEmojis } from '../compose/emoji-data.ts'
import { useCached } from '../state/cached.ts'
import { mayAutoplay } from '../state/motion.ts'
import { subscribe } from '../state/streaming.ts'
import { fullNumber, texts } from '../texts.ts'
import { withCount } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { optimistic } from '../ui/optimistic.ts'
import { RichText } from '../ui/rich-text.tsx'
import { RelativeTime } from '../ui/time.tsx'
import '../ui/chips.css'
import './announcements.css'

/** All that are shown on this server, and what can be done with them. */
function useAnnouncements() {
  const {
    value: announcements = [],
    change,
    reload,
  } = useCached('announcements', () => read(api.GET('/api/v1/announcements')))
  // New ones, and reactions of others.
  useEffect(
    () =>
      subscribe({
        names: [{ stream: 'user' }],
        onEvent: ({ event }) => void (event.startsWith('announcement') && reload()),
      }),
    [],
  )
  const update = (id: string, work: (announcement: Announcement) => Partial<Announcement>) =>
    change((now) => now.map((each) => (each.id === id ? { ...each, ...work(each) } : each)))
  const dismiss = ({ id }: Announcement) => {
    update(id, () => ({ read: true }))
    const request = () => read(api.POST('/api/v1/announcements/{id}/dismiss', { params: { path: { id } } }))
    return optimistic({ on: `announcement ${id}`, undo: () => update(id, () => ({ read: false })), request })
  }
  const react = ({ id, reactions }: Announcement, name: string) => {
    const path = { params: { path: { id, name } } }
    const isOn = isMine(reactions, name)
    // When it is undone, a reaction of another account may have loaded them again.
    const show = (now: boolean) =>
      update(id, (each) => (isMine(each.reactions, name) === now ? {} : { reactions: toggled(each.reactions, name) }))
    show(!isOn)
    return optimistic({
      on: `announcement ${id} ${name}`,
      undo: () => show(isOn),
      request: () =>
        isOn
          ? read(api.DELETE('/api/v1/announcements/{id}/reactions/{name}', path))
          : read(api.PUT('/api/v1/announcements/{id}/reactions/{name}', path)),
    })
  }
  return { announcements, dismiss, react }
}

export function Announcements() {
  const { announcements, dismiss, react } = useAnnouncements()
  const [isOpen, setOpen] = useState(false)
  if (announcements.length === 0) return null
  const unread = announcements.filter(({ read: isRead }) => !isRead)
  const close = () => {
    setOpen(false)
    for (const each of unread) void dismiss(each)
  }
  const t = texts.notifications
  const count = unread.length > 0 ? fullNumber(unread.length) : undefined
  return (
    <>
      <button
        type="button"
        class="icon-button announcements-button"
        aria-label={withCount(t.announcements, count)}
        title={t.announcements}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon icon={Megaphone} />
        {count && <b class="unread-badge">{count}</b>}
      </button>
      {isOpen && (
        <Dialog title={t.announcements} onClose={close}>
          {announcements.map((announcement) => (
            <article key={announcement.id} class={announcement.read ? 'announcement' : 'announcement unread'}>
              {!announcement.read && <span class="visually-hidden">{t.unread}</span>}
              <RichText html={announcement.content} emojis={announcement.emojis} />
              <small>
                <RelativeTime at={announcement.published_at} />
              </small>
              <Reactions reactions={announcement.reactions} react={(name) => void react(announcement, name)} />
            </article>
          ))}
        </Dialog>
      )}
    </>
  )
}

type ReactionsProps = { reactions: Announcement['reactions']; react: (name: string) => void }

function Reactions({ reactions, react }: ReactionsProps) {
  // Picking an emoji a second time does not take the reaction back.
  const add = (name: string) => {
    if (!isMine(reactions, name)) react(name)
  }
  return (
    <div class="reactions">
      {reactions.map(({ name, count, me = false, url, static_url: still }) => (
        <button key={name} type="button" class="chip" aria-pressed={me} onClick={() => react(name)}>
          {url ? <img class="emoji" src={mayAutoplay() ? url : (still ?? url)} alt={`:${name}:`} /> : name}{' '}
          {fullNumber(count)}
        </button>
      ))}
      <EmojiButton
        icon={SmilePlus}
        label={texts.notifications.add_reaction}
        onPick={(emoji) => add(emoji.replace(/^:(.+):$/, '$1'))}
      />
    </div>
  )
}

const isMine = (reactions: Announcement['reactions'], name: string): boolean =>
  reactions.some((reaction) => reaction.name === name && reaction.me)

function toggled(reactions: Announcement['reactions'], name: string): Announcement['reactions'] {
  const known = reactions.find((reaction) => reaction.name === name)
  if (!known) {
    const custom = customEmojis.value.find(({ shortcode }) => shortcode === name)
    return [
      ...reactions,
      { name, count: 1, me: true, ...(custom && { url: custom.url, static_url: custom.static_url }) },
    ]
  }
  const count = known.count + (known.me ? -1 : 1)
  return reactions
    .map((reaction) => (reaction === known ? { ...known, count, me: !known.me } : reaction))
    .filter(({ count: left }) => left > 0)
}
