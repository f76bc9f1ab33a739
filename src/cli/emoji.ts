import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import { importEmoji, type ImportOptions, type ImportOutcome } from '../actions/emojis/import.ts'
import { purgeEmojis } from '../actions/emojis/manage.ts'
import type { Context } from '../context.ts'
import { countEmojis, listEmojis, MAX_LOCAL_EMOJIS, type EmojiFilter } from '../domain/emojis/emojis.ts'
import { withTemporaryFile } from '../domain/media/files.ts'
import { LOCAL_EMOJI_LIMIT } from '../domain/media/site-images.ts'
import type { CliTexts } from '../messages/en/cli.ts'
import { message, render } from '../messages/message.ts'
import { CommandError, defineCommand, UsageError, type CommandCall } from './command.ts'
import { domainFrom, DRY_RUN, outcome } from './outcome.ts'
import { readEmojiFiles, writeEmojiArchive, type EmojiFile } from './emoji-files.ts'

export const importEmojis = defineCommand({
  name: 'emoji import',
  args: ['FILE|FOLDER'],
  options: {
    prefix: { type: 'string', value: 'TEXT' },
    suffix: { type: 'string', value: 'TEXT' },
    category: { type: 'string', value: 'NAME' },
    overwrite: { type: 'boolean' },
    unlisted: { type: 'boolean' },
    'dry-run': DRY_RUN,
  },
  async run({ t, language, open, args, values, progress }) {
    const options: ImportOptions = {
      prefix: values.prefix ?? '',
      suffix: values.suffix ?? '',
      category: values.category ?? '',
      overwrite: values.overwrite,
      visibleInPicker: !values.unlisted,
      planned: values['dry-run'] ? new Set() : null,
    }
    const ctx = await open()
    const outcomes: ImportOutcome[] = []
    await explained(t, args[0] as string, async () => {
      for await (const file of readEmojiFiles(args[0] as string, LOCAL_EMOJI_LIMIT)) {
        outcomes.push(await importFile(ctx, file, options))
        progress(t.operations.units.emojis({ count: outcomes.length }))
      }
    })
    return summaryOf({ t, language }, outcomes, values['dry-run'])
  },
})

const importFile = (ctx: Context, { name, data }: EmojiFile, options: ImportOptions): Promise<ImportOutcome> =>
  withTemporaryFile(ctx, async (path) => {
    if (data === null) {
      const reason = message('too_long_bytes', { count: LOCAL_EMOJI_LIMIT })
      return { result: 'failed' as const, shortcode: `${options.prefix}${name}${options.suffix}`, reason }
    }
    await writeFile(path, data)
    return importEmoji(ctx, null, { name, file: { path, size: data.length } }, options)
  })

function summaryOf(
  { t, language }: Pick<CommandCall, 't' | 'language'>,
  outcomes: readonly ImportOutcome[],
  dryRun: boolean,
): { text: string; json: Record<string, unknown> } {
  const count = (result: ImportOutcome['result']): number => outcomes.filter((one) => one.result === result).length
  const failed = outcomes.flatMap((one) =>
    one.result === 'failed' ? [{ shortcode: one.shortcode, reason: render(one.reason, language) }] : [],
  )
  const counts = { imported: count('imported'), replaced: count('replaced'), skipped: count('skipped') }
  const lines = [
    ...(dryRun ? [t.operations.nothing_changed] : []),
    t.emoji.imported({ ...counts, failed: failed.length }),
    ...failed.map(({ shortcode, reason }) => `  ${shortcode}: ${reason}`),
  ]
  return { text: lines.join('\n'), json: { ...counts, failed, dry_run: dryRun } }
}

export const exportEmojis = defineCommand({
  name: 'emoji export',
  args: ['FILE'],
  options: { category: { type: 'string', value: 'NAME' } },
  async run({ t, open, args, values, progress }) {
    const file = args[0] as string
    if (existsSync(file)) throw new CommandError(t.emoji.exists({ file }))
    const ctx = await open()
    const filter: EmojiFilter = values.category === undefined ? {} : { category: values.category }
    let count = 0
    await explained(t, file, async () => {
      await writeEmojiArchive(
        file,
        images(ctx, filter, () => progress(t.operations.units.emojis({ count: ++count }))),
      )
    })
    return { text: t.emoji.exported({ emojis: t.operations.units.emojis({ count }), file }), json: { file, count } }
  },
})

async function* images(
  ctx: Context,
  filter: EmojiFilter,
  onFile: () => void,
): AsyncGenerator<{ file: string; content: Readable }> {
  for (const { shortcode, image_key: key } of await listEmojis(ctx, filter, { limit: MAX_LOCAL_EMOJIS, offset: 0 })) {
    const stored = key === null ? null : await ctx.files.open(key)
    if (!stored || key === null) continue
    onFile()
    yield { file: `${shortcode}${extname(key)}`, content: stored.stream() }
  }
}

export const purgeEmojiList = defineCommand({
  name: 'emoji purge',
  args: [],
  options: {
    remote: { type: 'boolean' },
    suspended: { type: 'boolean' },
    domain: { type: 'string', value: 'DOMAIN' },
    local: { type: 'boolean' },
    'dry-run': DRY_RUN,
    yes: { type: 'boolean', short: 'y' },
  },
  async run({ t, open, values, progress }) {
    const { remote, suspended, domain, local } = values
    if ([remote, suspended, domain !== undefined, local].filter(Boolean).length !== 1)
      throw new UsageError(t.errors.needs({ what: '--remote | --suspended | --domain DOMAIN | --local' }))
    const from = local ? '' : remote ? 'remote' : suspended ? 'suspended' : domainFrom(t, domain)
    const dryRun = values['dry-run']
    if (local && !dryRun && !values.yes) throw new UsageError(t.errors.confirm_deletion)
    const ctx = await open()
    const count = dryRun
      ? await countEmojis(ctx, { from })
      : await purgeEmojis(ctx, null, { from }, (done) => progress(t.operations.units.emojis({ count: done })))
    return outcome(t, 'emojis', { count, dryRun })
  },
})

/** Turns errors of the file system, and of damaged archives, into a message. */
async function explained(t: CliTexts, file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { code, message: reason } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      throw new CommandError(t.emoji.unreadable({ file }))
    if (error instanceof RangeError || code?.startsWith('Z_') || /tar|unexpected end/i.test(reason))
      throw new CommandError(t.emoji.not_an_archive({ file }))
    throw error
  }
}
