import { MASTODON_VERSION, VERSION } from '../lib/version.ts'
import { type Command, defineCommand } from './command.ts'

const version = defineCommand({
  name: 'version',
  args: [],
  options: {},
  run: async ({ t }) => ({
    text: t.results.version({ version: VERSION, mastodon: MASTODON_VERSION, node: process.versions.node }),
    json: { version: VERSION, mastodon: MASTODON_VERSION, node: process.versions.node },
  }),
})

/** By their first word, in the order of the help. A call loads the code of one of these, which takes most of its time. */
const GROUPS: Record<string, () => Promise<readonly Command[]>> = {
  accounts: async () => {
    const { create, modify, remove, resetPasswordOf, list } = await import('./accounts.ts')
    const { approve, suspend, unsuspend, memorialize } = await import('./accounts-moderation.ts')
    const { followAll, unfollowAll, resetRelationships } = await import('./accounts-moderation.ts')
    const { rotateKeys, archive, migrateAccount } = await import('./accounts-moderation.ts')
    const { refresh, cull, merge, prune } = await import('./accounts-remote.ts')
    const all = [
      [create, modify, remove, resetPasswordOf, list],
      [approve, suspend, unsuspend, memorialize, followAll, unfollowAll, resetRelationships],
      [rotateKeys, archive, migrateAccount],
      [refresh, cull, merge, prune],
    ]
    return all.flat()
  },
  domains: async () => {
    const { blockServer, unblockServer, purge, stats, crawl } = await import('./domains.ts')
    return [blockServer, unblockServer, purge, stats, crawl]
  },
  'ip-blocks': async () => {
    const { listIps, addIps, removeIps, exportIps } = await import('./registration-blocks.ts')
    return [listIps, addIps, removeIps, exportIps]
  },
  'email-domain-blocks': async () => {
    const { listEmailDomains, addEmailDomains, removeEmailDomains } = await import('./registration-blocks.ts')
    return [listEmailDomains, addEmailDomains, removeEmailDomains]
  },
  'canonical-email-blocks': async () => {
    const { findEmail, removeEmail } = await import('./registration-blocks.ts')
    return [findEmail, removeEmail]
  },
  media: async () => {
    const { removeMedia, usage, refreshMedia, removeOrphans, lookUpMedia } = await import('./media.ts')
    return [removeMedia, usage, refreshMedia, removeOrphans, lookUpMedia]
  },
  feeds: async () => {
    const { buildFeeds, clearFeeds } = await import('./content.ts')
    return [buildFeeds, clearFeeds]
  },
  search: async () => [(await import('./content.ts')).deploySearch],
  statuses: async () => [(await import('./content.ts')).removeStatuses],
  settings: async () => {
    const { getSetting, setSetting, setRegistrations } = await import('./settings.ts')
    return [getSetting, setSetting, setRegistrations]
  },
  cache: async () => {
    const { clearCache, recount } = await import('./maintenance.ts')
    return [clearCache, recount]
  },
  maintenance: async () => [(await import('./maintenance.ts')).reindex],
  statistics: async () => [(await import('./maintenance.ts')).statistics],
  federation: async () => [(await import('./federation.ts')).budgets],
  db: async () => {
    const { migrateDatabase, databaseStatus } = await import('./db.ts')
    return [migrateDatabase, databaseStatus]
  },
  emoji: async () => {
    const { importEmojis, exportEmojis, purgeEmojiList } = await import('./emoji.ts')
    return [importEmojis, exportEmojis, purgeEmojiList]
  },
  backup: async () => [(await import('./backup.ts')).backup],
  restore: async () => [(await import('./backup.ts')).restore],
  'self-destruct': async () => [(await import('./self-destruct.ts')).selfDestruct],
  version: async () => [version],
}

/** All commands, for the overview. */
export const allCommands = async (): Promise<readonly Command[]> =>
  (await Promise.all(Object.values(GROUPS).map((load) => load()))).flat()

/** The commands that begin with a word, such as `accounts`; none for an unknown one. */
export const commandsOf = async (word: string): Promise<readonly Command[]> =>
  Object.hasOwn(GROUPS, word) ? ((await GROUPS[word]?.()) ?? []) : []
