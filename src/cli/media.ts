import type { Context } from '../context.ts'
import { deleteOrphans } from '../domain/clean-up/orphans.ts'
import { cacheUsage, countUnusedFiles, evictUnusedFiles, renewInteracted, usageByArea } from '../domain/media/cache.ts'
import { findMediaOwners, type MediaOwner, parseMediaAddress } from '../domain/media/lookup.ts'
import { accountUrl, statusUrl } from '../domain/server/addresses.ts'
import { readableSize } from '../lib/text/size.ts'
import { columns, CommandError, defineCommand, UsageError } from './command.ts'
import { refreshNamed } from './accounts-remote.ts'
import { daysFrom, DAYS, DRY_RUN, outcome, recordOutcome } from './outcome.ts'

export const removeMedia = defineCommand({
  name: 'media remove',
  args: [],
  options: { days: DAYS, 'keep-interacted': { type: 'boolean' }, 'dry-run': DRY_RUN },
  async run({ t, open, values, progress }) {
    const days = daysFrom(t, values.days, 7)
    const keepInteracted = values['keep-interacted']
    const ctx = await open()
    const before = await cacheUsage(ctx)
    if (values['dry-run']) {
      const { files, bytes } = await countUnusedFiles(ctx, days, { keepInteracted })
      return outcome(t, 'files', { count: files, dryRun: true, bytes })
    }
    if (keepInteracted) await renewInteracted(ctx, days)
    let count = 0
    for (let dropped = -1; dropped !== 0; count += dropped) {
      dropped = await evictUnusedFiles(ctx, days)
      progress(t.operations.so_far({ count: count + dropped }))
    }
    const bytes = before.bytes - (await cacheUsage(ctx)).bytes
    return recordOutcome(ctx, t, 'media remove', 'files', { count, days, keep_interacted: keepInteracted, bytes })
  },
})

export const usage = defineCommand({
  name: 'media usage',
  args: [],
  options: {},
  async run({ t, open }) {
    const ctx = await open()
    const { bytes, files, budget } = await cacheUsage(ctx)
    const areas = await usageByArea(ctx)
    const head = t.operations.usage_columns
    const rows = areas.map((row) => [`${row.where}: ${row.area}`, String(row.files), readableSize(row.bytes)])
    const limit = budget === null ? t.operations.no_budget : t.operations.budget({ size: readableSize(budget) })
    return {
      text: `${columns([[head.kind, head.files, head.size], ...rows], '')}\n${limit}`,
      json: { cache: { bytes, files, budget }, areas },
    }
  },
})

export const refreshMedia = defineCommand({
  name: 'media refresh',
  args: ['ACCOUNT|DOMAIN|all'],
  options: { 'dry-run': DRY_RUN },
  run: (call) => refreshNamed(call, 'media refresh'),
})

export const removeOrphans = defineCommand({
  name: 'media remove-orphans',
  args: [],
  options: { 'dry-run': DRY_RUN },
  async run({ t, open, database, values, progress }) {
    const ctx = await open()
    const dryRun = values['dry-run']
    const { orphans, bytes, files } = await deleteOrphans(await database(), ctx.files, {
      dryRun,
      onProgress: ({ orphans: count }) => progress(t.operations.so_far({ count })),
    })
    return recordOutcome(ctx, t, 'media remove-orphans', 'files', { count: orphans, bytes, files, dryRun })
  },
})

export const lookUpMedia = defineCommand({
  name: 'media lookup',
  args: ['URL'],
  options: {},
  async run({ t, open, args }) {
    const [text = ''] = args
    const ctx = await open()
    const reference = parseMediaAddress(ctx, text)
    if (!reference) throw new UsageError(t.operations.no_media_address({ text }))
    const owners = (await findMediaOwners(ctx, reference)).map((owner) => withPages(ctx, owner))
    if (owners.length === 0) throw new CommandError(t.operations.unknown_media({ text }))
    const names = t.operations.media_owner
    const blocks = owners.map(({ kind, status, account, emoji, admin_url: page }) =>
      columns(
        [
          [names.kind, names.kinds[kind]],
          status && [names.status, status.url ?? status.id],
          account && [names.account, account.url ?? `@${account.username}`],
          emoji && [names.emoji, `:${emoji.shortcode}:${emoji.domain === null ? '' : ` ${emoji.domain}`}`],
          [names.page, page],
        ].filter((row) => row !== null),
        '',
      ),
    )
    return { text: blocks.join('\n\n'), json: owners }
  },
})

/** With the addresses of local accounts and posts, and the page where staff can act. */
function withPages(ctx: Context, owner: MediaOwner): MediaOwner & { admin_url: string } {
  const { account, status, emoji } = owner
  const admin = `${ctx.config.baseUrl}/admin`
  if (!account) {
    const page = emoji?.domain
      ? `?${new URLSearchParams({ from: emoji.domain, search: emoji.shortcode })}`
      : `/${owner.id}`
    return { ...owner, admin_url: `${admin}/custom_emojis${page}` }
  }
  const isLocal = account.domain === null
  return {
    ...owner,
    account: isLocal ? { ...account, url: accountUrl(ctx, account.username) } : account,
    status: isLocal && status ? { ...status, url: statusUrl(ctx, account.username, status.id) } : status,
    admin_url: `${admin}/accounts/${account.id}`,
  }
}
