// Acts on accounts: shown at once, and undone when the server refuses.
import type { Account, Relationship } from '../api/entities.ts'
import { api, read } from '../api/client.ts'
import { changeRelationship, relationshipOf, storeRelationship } from '../state/accounts.ts'
import { changeMe, identity } from '../state/me.ts'
import { settings } from '../state/settings.ts'
import { announce } from '../state/tabs.ts'
import { isolate, texts } from '../texts.ts'
import { hideAtHome, hideInTimelines } from '../timelines/timelines.ts'
import { confirm } from '../ui/confirm.tsx'
import { offerUndo, optimistic } from '../ui/optimistic.ts'
import { showToast } from '../ui/toasts.tsx'

export type FollowOptions = { reblogs?: boolean; notify?: boolean; languages?: string[] }

export const handleOf = ({ acct }: Pick<Account, 'acct'>): string => `@${acct}`

/** The handle, isolated for use in a text. */
export const handleText = (account: Pick<Account, 'acct'>): string => isolate(handleOf(account))

/** Resolves to whether the server accepted it. */
const relate = (
  { id }: Account,
  change: Partial<Relationship>,
  request: () => Promise<Relationship>,
): Promise<boolean> =>
  optimistic({
    on: `account ${id}`,
    undo: changeRelationship(id, change),
    request,
    done: (relationship) => {
      storeRelationship(relationship)
      announce('hidden')
    },
  })

const pathOf = ({ id }: Account) => ({ path: { id } })

const NO_FOLLOW: Partial<Relationship> = { following: false, requested: false, notifying: false, endorsed: false }

/** Follows, or changes the options of a follow. */
export function follow(account: Account, options: FollowOptions = {}): Promise<boolean> {
  const before = relationshipOf(account.id).peek()
  const isNew = !before?.following && !before?.requested
  const { reblogs, notify, languages } = options
  const change: Partial<Relationship> = {
    ...(isNew ? (account.locked ? { requested: true } : { following: true, showing_reblogs: true }) : {}),
    ...(reblogs === undefined ? {} : { showing_reblogs: reblogs }),
    ...(notify === undefined ? {} : { notifying: notify }),
    ...(languages === undefined ? {} : { languages: languages.length > 0 ? languages : null }),
  }
  return relate(account, change, () =>
    read(api.POST('/api/v1/accounts/{id}/follow', { params: pathOf(account), body: options })),
  )
}

/** Also withdraws a follow request. */
export async function unfollow(account: Account): Promise<void> {
  const before = relationshipOf(account.id).peek()
  if (!before) return
  const t = texts.accounts
  const handle = handleText(account)
  if (before.following && settings.peek().confirmUnfollow) {
    const text = account.locked ? t.unfollow_locked_text : t.unfollow_text
    if (!(await confirm({ title: t.unfollow_title({ handle }), text, action: t.unfollow }))) return
  }
  const send = () => read(api.POST('/api/v1/accounts/{id}/unfollow', { params: pathOf(account) }))
  const showAgain = hideAtHome(account.id)
  if (!(await relate(account, NO_FOLLOW, send))) return showAgain()
  offerUndo(before.following ? t.unfollowed({ handle }) : t.withdrawn({ handle }), () => {
    showAgain()
    return followAgain(account, before)
  })
}

function followAgain(account: Account, before: Relationship): Promise<boolean> {
  return follow(account, {
    reblogs: before.showing_reblogs,
    notify: before.notifying,
    ...(before.languages ? { languages: before.languages } : {}),
  })
}

export async function block(account: Account): Promise<void> {
  const t = texts.accounts
  const title = t.block_title({ handle: handleText(account) })
  if (await confirm({ title, text: t.block_text, action: t.block, isDanger: true })) await sendBlock(account)
}

async function sendBlock(account: Account): Promise<void> {
  const before = relationshipOf(account.id).peek()
  const send = () => read(api.POST('/api/v1/accounts/{id}/block', { params: pathOf(account) }))
  const change = { ...NO_FOLLOW, blocking: true, followed_by: false, requested_by: false }
  const showAgain = hideInTimelines(({ id }) => id === account.id)
  if (!(await relate(account, change, send))) return showAgain()
  offerUndo(texts.accounts.blocked({ handle: handleText(account) }), async () => {
    showAgain()
    await unblock(account)
    if (before?.following) await followAgain(account, before)
  })
}

export async function unblock(account: Account): Promise<void> {
  const send = () => read(api.POST('/api/v1/accounts/{id}/unblock', { params: pathOf(account) }))
  if (await relate(account, { blocking: false }, send))
    offerUndo(texts.accounts.unblocked({ handle: handleText(account) }), () => sendBlock(account))
}

/** `duration` in seconds; 0 until it is undone. `notifications`: mutes those, too. */
type Mute = { duration: number; notifications: boolean }

export async function mute(account: Account, body: Mute): Promise<void> {
  const { duration, notifications } = body
  const send = () => read(api.POST('/api/v1/accounts/{id}/mute', { params: pathOf(account), body }))
  const expires = duration > 0 ? new Date(Date.now() + duration * 1000).toISOString() : null
  const change = { muting: true, muting_notifications: notifications, muting_expires_at: expires }
  const showAgain = hideInTimelines(({ id }) => id === account.id)
  if (!(await relate(account, change, send))) return showAgain()
  offerUndo(texts.accounts.muted({ handle: handleText(account) }), () => {
    showAgain()
    return unmute(account)
  })
}

export async function unmute(account: Account): Promise<void> {
  const before = relationshipOf(account.id).peek()
  const send = () => read(api.POST('/api/v1/accounts/{id}/unmute', { params: pathOf(account) }))
  const change = { muting: false, muting_notifications: false, muting_expires_at: null }
  if (!(await relate(account, change, send))) return
  const expires = before?.muting_expires_at
  offerUndo(texts.accounts.unmuted({ handle: handleText(account) }), () => {
    const left = expires ? Math.max(1, Math.round((Date.parse(expires) - Date.now()) / 1000)) : 0
    return mute(account, { duration: left, notifications: before?.muting_notifications !== false })
  })
}

export async function removeFollower(account: Account): Promise<void> {
  const t = texts.accounts
  const handle = handleText(account)
  const title = t.remove_follower_title({ handle })
  if (!(await confirm({ title, text: t.remove_follower_text, action: t.remove, isDanger: true }))) return
  const send = () => read(api.POST('/api/v1/accounts/{id}/remove_from_followers', { params: pathOf(account) }))
  if (await relate(account, { followed_by: false }, send)) showToast(t.follower_removed({ handle }))
}

/** Features an account on the viewer's profile, or no longer. */
export async function endorse(account: Account, on: boolean): Promise<void> {
  const action = on ? 'endorse' : 'unendorse'
  const send = () => read(api.POST(`/api/v1/accounts/{id}/${action}`, { params: pathOf(account) }))
  if (!(await relate(account, { endorsed: on }, send))) return
  const t = texts.accounts
  const handle = handleText(account)
  offerUndo(on ? t.endorsed({ handle }) : t.unendorsed({ handle }), () => endorse(account, !on))
}

/** Throws ApiError: the note says so where it is typed. */
export async function writeNote({ id }: Account, comment: string): Promise<void> {
  const request = { params: { path: { id } }, body: { comment }, keepalive: true }
  const sent = api.POST('/api/v1/accounts/{id}/note', request)
  storeRelationship(await read(sent))
}

export type Answer = 'authorize' | 'reject'

/** Answers the follow request of an account. */
export function answerRequest(account: Account, answer: Answer): Promise<boolean> {
  const change = { requested_by: false, ...(answer === 'authorize' ? { followed_by: true } : {}) }
  const params = { path: { account_id: account.id } }
  return relate(account, change, async () => {
    const relationship = await read(api.POST(`/api/v1/follow_requests/{account_id}/${answer}`, { params }))
    countAnsweredRequest()
    return relationship
  })
}

/** The navigation shows how many requests wait. */
function countAnsweredRequest(): void {
  const me = identity.peek()?.me
  if (!me) return
  const { follow_requests_count: count } = me.source
  changeMe({ ...me, source: { ...me.source, follow_requests_count: Math.max(0, count - 1) } })
}
