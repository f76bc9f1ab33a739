import type { Context } from '../../context.ts'
import { refuseMoved } from '../../domain/accounts/find.ts'
import { recordStatusEvent } from '../../domain/fasp/sharing.ts'
import { insertReblog, type InsertedReblog, type ReblogDraft } from '../../domain/statuses/reblogs.ts'
import { federate } from '../federate.ts'
import { notify } from '../notifications/notify.ts'
import { fanOutHome, showInOwnHome } from '../timelines/fan-out.ts'

/**
 * A reblog that needs approval only asks for it. Returns the earlier reblog, with `created: false`, when there is one. Throws
 * Forbidden for direct statuses, private ones of other accounts, and local accounts that have moved; NotFound for a status that
 * is gone. The caller checks that the account may see the status.
 */
export async function reblog(ctx: Context, draft: ReblogDraft): Promise<{ id: string; created: boolean }> {
  await refuseMoved(ctx, draft.accountId)
  return ctx.transaction(async (tx) => {
    const inserted = await insertReblog(tx, draft)
    const { id, created } = inserted
    if (!created) return { id, created }
    if (draft.approval) {
      if (inserted.local) await showInOwnHome(tx, id)
      await federate(tx, { activity: 'request', interaction: 'announce', accountId: draft.accountId, id })
    } else await spreadReblog(tx, draft.accountId, inserted)
    return { id, created }
  })
}

const REFERENCES = { mentions: false, parent: false, quote: false, original: true }

/** For a new reblog, or one that was approved: fills home feeds, notifies the author, federates and streams. */
export async function spreadReblog(
  tx: Context,
  accountId: string,
  { id, targetId, local }: Pick<InsertedReblog, 'id' | 'targetId' | 'local'>,
): Promise<void> {
  const [audience] = await Promise.all([
    fanOutHome(tx, id, { references: local ? REFERENCES : null }),
    notify(tx, { type: 'reblog', fromAccountId: accountId, statusId: targetId, to: 'author' }),
  ])
  if (audience.remote) await federate(tx, { activity: 'announce', statusId: id })
  await recordStatusEvent(tx, 'trending', [targetId])
  tx.publish({ type: 'status.new', id })
}
