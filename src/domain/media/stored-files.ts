// The columns that name files of the file store.
import { commaList, name, sql, type Sql } from '../../db/sql.ts'

/**
 * A test compares the columns with the schema. `isRemote`: the rows whose files are copies of remote ones, which the server
 * fetches again when they are missing.
 */
export const FILE_COLUMNS = {
  media_attachments: {
    columns: ['file_key', 'preview_key', 'source_key', 'result_key'],
    isRemote: sql`remote_url is not null`,
  },
  accounts: {
    columns: ['avatar_key', 'avatar_static_key', 'header_key', 'header_static_key'],
    isRemote: sql`domain is not null`,
  },
  remote_emojis: { columns: ['image_key', 'static_key'], isRemote: sql`true` },
  preview_cards: { columns: ['image_key'], isRemote: sql`true` },
  custom_emojis: { columns: ['image_key', 'static_key'], isRemote: sql`domain is not null` },
  archives: { columns: ['file_key'], isRemote: sql`false` },
} satisfies Record<string, { columns: readonly string[]; isRemote: Sql }>

/** The keys of the files that a row of the table names, as an array that has nulls. */
export const fileKeysIn = (table: keyof typeof FILE_COLUMNS): Sql =>
  sql`array[${commaList(FILE_COLUMNS[table].columns.map(name))}]`

export type FileKeys = { keys: (string | null)[] }

/** Of rows that a statement returns with `fileKeysIn`, as `keys`. */
export const storedKeys = (rows: readonly FileKeys[]): string[] =>
  rows.flatMap(({ keys }) => keys.filter((key) => key !== null))

const ofColumns = Object.entries(FILE_COLUMNS).flatMap(([table, { columns, isRemote }]) =>
  columns.map(
    (column) =>
      `select ${column}, case when ${isRemote.strings.join('')} then 'remote' else 'local' end from ${table} where ${column} is not null`,
  ),
)

/** Each stored file's key, and `local` or `remote`, as text of a statement: for COPY, which takes no parameters. */
export const storedFilesQuery = [
  ...ofColumns,
  `select variant.value, 'local' from site_uploads, jsonb_each_text(variants) variant`,
].join(' union all ')
