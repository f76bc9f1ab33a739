// Sending the draft in the composer.
import { isGone, isOffline } from '../api/client.ts'
import { settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { confirm } from '../ui/confirm.tsx'
import { errorText } from '../ui/error-text.ts'
import { showToast } from '../ui/toasts.tsx'
import { findSent } from './already-sent.ts'
import { closeUnsaved } from './composing.ts'
import { charactersOf } from './count.ts'
import { currentDraft, describedMedia, failures, isSending } from './current.ts'
import { asAttempted, contentOf, isEmptyPost, withFreshKeys, type Draft, type DraftPost } from './draft.ts'
import { UnsureError } from './earlier-attempt.ts'
import { isTemporary } from './errors.ts'
import { assumedLanguage } from './languages.ts'
import { queueDraft } from './outbox.ts'
import { isPollReady } from './poll-rules.ts'
import { sendDraft, showSentToast } from './send.ts'
import { isOnlyHere, removeDraft, storeDraft } from './store.ts'
import { uploads } from './uploads.ts'

const isReady = (post: DraftPost, limit: number): boolean =>
  !isEmptyPost(post) &&
  charactersOf(post) <= limit &&
  (post.poll === null || isPollReady(post.poll)) &&
  post.media.every(({ key }) => uploads.value.get(key)?.isOffline ?? !uploads.value.has(key))

export const canSubmit = (draft: Draft, limit: number): boolean => draft.posts.every((post) => isReady(post, limit))

/** Reminds of missing alt texts. Where the settings make them a rule, nothing is posted without. */
async function hasAltTexts(draft: Draft): Promise<boolean> {
  const t = texts.compose
  const first = draft.posts.flatMap(({ media }) => media).find(({ description }) => description.trim() === '')
  if (!first) return true
  if (settings.value.requireAltText) {
    failures.value = [t.alt_required]
    return false
  }
  const instead = { action: t.add_alt_text, act: () => (describedMedia.value = first.key) }
  return confirm({ title: t.alt_missing_title, text: t.alt_missing, action: t.post_anyway, instead })
}

/** An earlier attempt may have posted it, and the server does not know its key any longer. */
async function isUnsent(draft: Draft): Promise<boolean> {
  if (draft.attempted?.content !== contentOf(draft)) return true
  const t = texts.compose
  try {
    const found = await findSent(draft)
    if (!found) return true
    const text = found === 'unsure' ? t.maybe_posted : t.was_posted
    return await confirm({ title: t.send_again_title, text, action: t.send_again })
  } catch (error) {
    // Without a network, it is queued, and looked for later.
    if (isOffline(error)) return true
    failures.value = [errorText(error)]
    return false
  }
}

/** Posts what is in the composer, and closes it. If that fails, everything stays as it is, and the composer says why. */
export async function submit(limit: number): Promise<void> {
  const draft = currentDraft.value
  if (!draft || isSending.value || !canSubmit(draft, limit)) return
  if (!(await hasAltTexts(draft))) return
  if (!(await isUnsent(draft)) || isSending.value) return
  isSending.value = true
  failures.value = []
  let left = withFreshKeys(draft)
  const language = draft.language ?? assumedLanguage()
  try {
    const sent = await sendDraft({ ...left, language }, async (rest) => {
      left = { ...rest, language: draft.language, attempted: null }
      currentDraft.value = left
      await storeDraft(left)
    })
    await removeDraft(draft)
    closeUnsaved()
    const t = texts.compose
    showSentToast('scheduled_at' in sent ? t.scheduled : draft.edited ? t.saved : t.posted, sent)
  } catch (error) {
    if (isOffline(error)) {
      await queueDraft({ ...left, language })
      closeUnsaved()
      showToast(texts.compose.queued, { isOffline: true })
      if (isOnlyHere(draft)) showToast(texts.compose.not_stored)
      return
    }
    if (isTemporary(error)) currentDraft.value = asAttempted(left)
    // Its author has now been asked to look.
    else if (error instanceof UnsureError) currentDraft.value = { ...left, earlier: null }
    const isAbout = draft.edited ?? left.inReplyTo ?? draft.quote
    failures.value = [isAbout && isGone(error) ? texts.statuses.gone : errorText(error)]
  } finally {
    isSending.value = false
  }
}
