// Posts that were written without a network. They are sent as soon as there is one: once, also with several tabs.
import { effect } from '@preact/signals'
import { isConnected } from '../api/connection.ts'
import { identity } from '../state/me.ts'
import { texts } from '../texts.ts'
import { showToast } from '../ui/toasts.tsx'
import { asAttempted, type Draft } from './draft.ts'
import { findSent } from './already-sent.ts'
import { errorText } from '../ui/error-text.ts'
import { isTemporary } from './errors.ts'
import { withoutLostMedia } from './media-check.ts'
import { sendDraft, showSentToast, withoutFirst } from './send.ts'
import { loadDrafts, readDraft, removeDraft, storeDraft, unsentDrafts } from './store.ts'

/** Milliseconds between attempts while nothing says that the network is back. */
const INTERVAL = 20_000

export async function queueDraft(draft: Draft): Promise<void> {
  await storeDraft(asAttempted({ ...draft, state: 'queued', error: null }))
}

/** Sends a draft again that the server refused, or that the viewer did not find among the posts. */
export async function retryDraft(draft: Draft): Promise<void> {
  await queueDraft(draft.state === 'refused' ? { ...draft, attempted: null } : draft)
  await sendQueued()
}

/** Called once, when the client has started. */
export async function startOutbox(): Promise<void> {
  await loadDrafts()
  effect(() => {
    if (isConnected.value) void sendQueued()
  })
  setInterval(() => void sendQueued(), INTERVAL)
}

let isRunning = false

async function sendQueued(): Promise<void> {
  const waiting = unsentDrafts.value.filter(({ state }) => state === 'queued')
  if (isRunning || waiting.length === 0) return
  isRunning = true
  try {
    for (const { id } of waiting) if (!(await exclusively(() => sendStored(id)))) break
  } finally {
    isRunning = false
  }
}

/** One tab sends at a time. Without locks, the Idempotency-Key still keeps the server from posting twice. */
async function exclusively(work: () => Promise<boolean>): Promise<boolean> {
  if (!('locks' in navigator)) return work()
  return (await navigator.locks.request('rookery-outbox', work)) as boolean
}

/** False when there is no use in sending the next one now. */
async function sendStored(id: string): Promise<boolean> {
  const draft = await readDraft(id)
  if (draft?.state !== 'queued' || draft.accountId !== identity.value?.me.id) return true
  let left = draft
  try {
    const sent = await findSent(draft)
    if (sent === 'unsure') {
      await storeDraft({ ...draft, state: 'refused', error: texts.compose.maybe_posted })
      showToast(texts.compose.refused_later, { isError: true })
      return true
    }
    if (sent) {
      const rest = withoutFirst(draft, sent)
      if (!rest) {
        await removeDraft(draft)
        showSentToast(texts.compose.already_posted, sent)
        return true
      }
      left = rest
    }
    await storeDraft((left = asAttempted(left)))
    const posted = await sendDraft(await withoutLostMedia(left), (unsent) => storeDraft((left = asAttempted(unsent))))
    await removeDraft(draft)
    showSentToast(texts.compose.sent_later, posted)
    return true
  } catch (error) {
    if (isTemporary(error)) return false
    await storeDraft({ ...left, state: 'refused', error: errorText(error) })
    showToast(texts.compose.refused_later, { isError: true })
    return true
  }
}
