// The post whose media the viewer shows: the way to it, and what can be done with it.
import { useLocation } from 'preact-iso'
import { findStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { Avatar } from '../ui/account-line.tsx'
import { emojify, nameText } from '../ui/emoji-text.tsx'
import { opensHere } from '../ui/opens-here.ts'
import { statusPath } from './links.ts'
import type { Viewed } from './open.ts'
import { StatusActions } from './status-actions.tsx'

export function ViewedPost({ viewed: { id, leave } }: { viewed: Viewed }) {
  const { route } = useLocation()
  const status = findStatus(id)?.value
  if (!status) return null
  const { account } = status
  const path = statusPath(status)
  return (
    <>
      <a
        class="viewed-post-link"
        href={path}
        onClick={(event) => {
          if (!opensHere(event)) return
          event.preventDefault()
          // The router would open it at once, and the browser might then not go back.
          event.stopPropagation()
          leave(() => route(path))
        }}
      >
        <Avatar account={account} size={28} />
        <span dir="auto">{emojify(texts.statuses.post_by({ name: nameText(account) }), account.emojis)}</span>
      </a>
      <StatusActions status={status} />
    </>
  )
}
