import { migrate, migrationStatus } from '../db/migrate.ts'
import type { Command } from './command.ts'

/** rookery db migrate: brings the database to this version. The server does so by itself when it starts. */
export const migrateDatabase: Command = {
  name: 'db migrate',
  args: [],
  summary: 'Bring the database to this version',
  options: {},
  async run({ database }) {
    const applied = await migrate(await database())
    return {
      text: applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
      json: { applied },
    }
  },
}

/** rookery db status: which migrations stand. */
export const databaseStatus: Command = {
  name: 'db status',
  args: [],
  summary: 'Show which migrations the database has',
  options: {},
  async run({ database }) {
    const migrations = await migrationStatus(await database())
    return {
      text: migrations
        .map(({ id, applied_at }) => `${id}  ${applied_at?.toISOString() ?? 'not applied yet'}`)
        .join('\n'),
      json: migrations,
    }
  },
}
