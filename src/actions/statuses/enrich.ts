import type { Context } from '../../context.ts'
import { indexNewStatus, indexStatuses } from '../../domain/search/status-index.ts'
import { findEnrichable } from '../../domain/statuses/cards/cards.ts'
import type { StatusDraft } from '../../domain/statuses/draft.ts'
import { detectStatusText, findStatusText, isDetectable, setDetectedLanguage } from '../../domain/statuses/language.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { findLinks } from '../../lib/text/links.ts'
import { resolveMentionsLater } from './late-mentions.ts'

/** Seconds. Many servers fetch a link in a remote status at once; this one waits for a random time. */
const MAX_DELAY = 60

export async function enrichNewStatus(tx: Context, statusId: string, draft: StatusDraft): Promise<void> {
  await indexNewStatus(tx, statusId, draft)
  const media = (draft.mediaIds?.length ?? 0) + (draft.remoteMedia?.length ?? 0)
  if (media === 0 && findLinks(draft.content).length > 0) {
    const delay = draft.local ? 0 : Math.floor(Math.random() * MAX_DELAY)
    await tx.enqueue('cards.fetch', { statusId }, { delay })
  }
  if (draft.hasUnresolved) await resolveMentionsLater(tx, { statusId, accountId: draft.accountId, attempt: 0 })
  const { language, languageIsAssumed } = draft
  if (languageIsAssumed) await tx.enqueue('languages.detect', { statusId, ...(language ? { assumed: language } : {}) })
}

export async function enrichEditedStatus(tx: Context, statusId: string): Promise<void> {
  await indexStatuses(tx, [statusId])
  const status = await findEnrichable(tx, statusId)
  if (!status) return
  const { content, language, card_id, media } = status
  if (card_id !== null || (media === 0 && findLinks(content).length > 0)) await tx.enqueue('cards.fetch', { statusId })
  if (!language && isDetectable(content)) await tx.enqueue('languages.detect', { statusId })
}

/** Job `languages.detect`: stores the detected language of a status whose author named none, and indexes it again. */
export async function detectStatusLanguage(
  ctx: Context,
  { statusId, assumed }: JobData['languages.detect'],
): Promise<void> {
  const stored = { statusId, language: assumed ?? null }
  const text = await findStatusText(ctx, stored)
  const language = text && (await detectStatusText(text.content))
  if (!text || !language) return
  await ctx.transaction(async (tx) => {
    if (await setDetectedLanguage(tx, { ...stored, editedAt: text.edited_at }, language))
      await indexStatuses(tx, [statusId])
  })
}
