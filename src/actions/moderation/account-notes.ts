import type { Context } from '../../context.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { deleteModerationNote, insertModerationNote, MAX_MODERATION_NOTE } from '../../domain/moderation/notes.ts'
import { getModerated } from '../../domain/moderation/accounts.ts'
import { NotFound, requiredText } from '../../lib/errors.ts'
import { recordAccountAct } from './audit.ts'

/** Staff read it, the account does not. Throws NotFound for an unknown account, Invalid for an empty or long note. */
export const addAccountNote = (ctx: Context, staffId: StaffId, accountId: string, content: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const account = await getModerated(tx, accountId)
    const text = requiredText('text', content, MAX_MODERATION_NOTE)
    await insertModerationNote(tx, { accountId }, { authorId: staffId, content: text })
    await recordAccountAct(tx, staffId, 'add_note', account)
  })

/** Throws NotFound. */
export const removeAccountNote = (ctx: Context, staffId: StaffId, accountId: string, noteId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const account = await getModerated(tx, accountId)
    if (!(await deleteModerationNote(tx, { accountId }, noteId))) throw new NotFound()
    await recordAccountAct(tx, staffId, 'delete_note', account)
  })
