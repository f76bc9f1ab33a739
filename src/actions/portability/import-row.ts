import type { Context } from '../../context.ts'
import { causedBy, newCause } from '../../lib/cause.ts'
import { Invalid, NotFound } from '../../lib/errors.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import { resolveHandle } from '../remote/resolve-account.ts'
import { fetchRemoteStatus } from '../remote/receive-status.ts'
import { resolveUrl } from '../remote/resolve-url.ts'
import { bookmark } from '../statuses/bookmark.ts'
import { addListMembers } from '../lists.ts'
import { findListByTitle, isListMember } from '../../domain/portability/import-contents.ts'
import { block } from '../accounts/block.ts'
import { blockDomain, checkDomain } from '../accounts/domain-blocks.ts'
import { follow } from '../accounts/follow.ts'
import { mute } from '../accounts/mute.ts'
import { getTargetStatus } from '../../domain/statuses/visibility.ts'
import type { ImportRow, ImportType } from '../../domain/portability/import-rows.ts'

type Owner = { account_id: string }
type RowImporter = (ctx: Context, owner: Owner, row: ImportRow) => Promise<void>

/** Imports one row, as if the owner did it by hand. Throws AppError if it is refused. */
export const importRow = (ctx: Context, owner: Owner & { type: ImportType }, row: ImportRow): Promise<void> =>
  causedBy(newCause(), () => IMPORTERS[owner.type](ctx, owner, row))

const IMPORTERS: Record<ImportType, RowImporter> = {
  async following(ctx, { account_id: accountId }, row) {
    const target = await resolve(ctx, row.key)
    if (target.id === accountId) throw new Invalid('This is you')
    const { reblogs, notify, languages } = row
    await follow(ctx, {
      accountId,
      targetAccountId: target.id,
      ...(reblogs === undefined ? {} : { reblogs }),
      ...(notify === undefined ? {} : { notify }),
      ...(languages === undefined ? {} : { languages }),
    })
  },
  async blocking(ctx, { account_id: accountId }, row) {
    const target = await resolve(ctx, row.key)
    if (target.id === accountId) throw new Invalid('This is you')
    await block(ctx, { accountId, targetAccountId: target.id })
  },
  async muting(ctx, { account_id: accountId }, row) {
    const target = await resolve(ctx, row.key)
    if (target.id === accountId) throw new Invalid('This is you')
    await mute(ctx, {
      accountId,
      targetAccountId: target.id,
      ...(row.notifications === undefined ? {} : { notifications: row.notifications }),
    })
  },
  async domain_blocking(ctx, { account_id: accountId }, row) {
    await blockDomain(ctx, accountId, checkDomain(ctx, row.key))
  },
  async bookmarks(ctx, { account_id: accountId }, row) {
    const known = await resolveUrl(ctx, row.key, { fetch: false })
    const id = known && 'statusId' in known ? known.statusId : await fetchRemoteStatus(ctx, row.key)
    if (!id) throw new NotFound()
    const status = await getTargetStatus(ctx, { accountId }, id)
    await bookmark(ctx, accountId, status.id)
  },
  async lists(ctx, { account_id: accountId }, row) {
    const list = await findListByTitle(ctx, accountId, row.list?.trim() ?? '')
    if (!list) throw new Invalid('The list could not be made: there are too many')
    const target = await resolve(ctx, row.key)
    if (await isListMember(ctx, list.id, target.id)) return
    try {
      await addListMembers(ctx, list, [target.id])
    } catch (error) {
      if (error instanceof NotFound) throw new Invalid('You do not follow this account')
      throw error
    }
  },
}

async function resolve(ctx: Context, handle: string): Promise<AccountRow> {
  const account = await resolveHandle(ctx, handle)
  if (!account || account.suspended_at) throw new NotFound()
  return account
}
