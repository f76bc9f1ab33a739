import type { Context } from '../../context.ts'
import { Invalid } from '../../lib/errors.ts'
import { insertList, listLists } from '../../domain/lists/lists.ts'
import {
  bookmarksMissingFrom,
  importedListTitles,
  membersMissingFrom,
  missingListTitles,
} from '../../domain/portability/import-contents.ts'
import type { ImportType } from '../../domain/portability/import-rows.ts'
import type { RunningImport } from '../../domain/portability/imports.ts'
import { listDomainsMissingFrom, listTargetsMissingFrom } from '../../domain/relationships/exports.ts'
import { unbookmark } from '../statuses/bookmark.ts'
import { removeList, removeListMembers } from '../lists.ts'
import { unblock } from '../accounts/block.ts'
import { unblockDomain } from '../accounts/domain-blocks.ts'
import { unmute } from '../accounts/mute.ts'
import { unfollow } from '../accounts/follow.ts'

/**
 * Runs before the first row: creates missing lists and, if the import overwrites, removes what the file does not name.
 * Needs all rows of the file. It may run twice.
 */
export async function prepareImport(ctx: Context, running: RunningImport): Promise<void> {
  if (running.overwrite) await REMOVALS[running.type](ctx, running)
  if (running.type === 'lists') await createMissingLists(ctx, running)
}

async function createMissingLists(ctx: Context, running: RunningImport): Promise<void> {
  for (const title of await missingListTitles(ctx, running))
    await insertList(ctx, running.account_id, { title }).catch((error: unknown) => {
      // Too many lists, or too long a title: the rows of the list report it.
      if (!(error instanceof Invalid)) throw error
    })
}

type Removal = (ctx: Context, running: RunningImport) => Promise<void>

const removing =
  (
    table: 'follows' | 'follow_requests' | 'blocks' | 'mutes',
    remove: (ctx: Context, pair: { accountId: string; targetAccountId: string }) => Promise<unknown>,
  ): Removal =>
  async (ctx, running) => {
    for (const targetAccountId of await listTargetsMissingFrom(ctx, running, table))
      await remove(ctx, { accountId: running.account_id, targetAccountId })
  }

const REMOVALS: Record<ImportType, Removal> = {
  async following(ctx, running) {
    await removing('follows', unfollow)(ctx, running)
    await removing('follow_requests', unfollow)(ctx, running)
  },
  blocking: removing('blocks', unblock),
  muting: removing('mutes', unmute),
  async domain_blocking(ctx, running) {
    for (const domain of await listDomainsMissingFrom(ctx, running))
      await unblockDomain(ctx, running.account_id, domain)
  },
  async bookmarks(ctx, running) {
    for (const id of await bookmarksMissingFrom(ctx, running)) await unbookmark(ctx, running.account_id, id)
  },
  async lists(ctx, running) {
    const titles = await importedListTitles(ctx, running)
    for (const list of await listLists(ctx, running.account_id)) {
      if (titles.has(list.title)) await removeListMembers(ctx, list, await membersMissingFrom(ctx, running, list))
      else await removeList(ctx, running.account_id, list.id)
    }
  },
}
