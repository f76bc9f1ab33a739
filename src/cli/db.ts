import { migrate, migrationStatus } from '../db/migrate.ts'
import { defineCommand } from './command.ts'

/** The server does the same when it starts. */
export const migrateDatabase = defineCommand({
  name: 'db migrate',
  args: [],
  options: {},
  async run({ t, database }) {
    const applied = await migrate(await database())
    return {
      text: applied.length === 0 ? t.results.up_to_date : t.results.applied({ migrations: applied.join(', ') }),
      json: { applied },
    }
  },
})

export const databaseStatus = defineCommand({
  name: 'db status',
  args: [],
  options: {},
  async run({ t, database }) {
    const migrations = await migrationStatus(await database())
    return {
      text: migrations
        .map(({ id, applied_at }) => `${id}  ${applied_at?.toISOString() ?? t.results.not_applied}`)
        .join('\n'),
      json: migrations,
    }
  },
})
