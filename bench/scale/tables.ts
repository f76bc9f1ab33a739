import pg from 'pg'
import { copyIn } from '../../src/db/copy.ts'

/** The columns that are filled; the others have their defaults. */
const COLUMNS = {
  accounts:
    'id, username, domain, uri, url, inbox_url, display_name, note, discoverable, indexable, created_at, fetched_at',
  users: 'id, account_id, email, password_hash, confirmed_at',
  account_stats: 'account_id, statuses_count, following_count, followers_count, last_status_at',
  follows: 'account_id, target_account_id',
  tags: 'id, name, display_name',
  conversations: 'id',
  statuses:
    'id, account_id, uri, text, content, visibility, language, local, reply, in_reply_to_id, in_reply_to_account_id, reblog_of_id, conversation_id, media_ids, created_at',
  status_stats: 'status_id, replies_count, reblogs_count, favourites_count',
  media_attachments:
    'id, account_id, status_id, type, content_type, file_key, file_size, preview_key, description, blurhash, meta',
  status_tags: 'tag_id, status_id',
  mentions: 'status_id, account_id',
  favourites: 'account_id, status_id, created_at',
  notifications: 'id, account_id, from_account_id, type, status_id, group_key, created_at',
  search_shares: 'lower_id',
  status_search: 'status_id, document',
} as const

export type TableName = keyof typeof COLUMNS
type Value = string | number | boolean | null | undefined

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const textOf = (value: Value): string =>
  value === null || value === undefined
    ? '\\N'
    : String(value).replace(/[\\\t\n\r]/g, (char) => ESCAPES[char] as string)

type Index = { name: string; definition: string }

/** Rows that are sent by COPY. Triggers and foreign keys are off, and indexes are made at the end. */
export class Tables {
  readonly #client: pg.Client
  readonly #lines = new Map<TableName, string[]>()
  #indexes: Index[] = []

  constructor(connection: pg.ClientConfig) {
    this.#client = new pg.Client(connection)
  }

  async open(): Promise<void> {
    await this.#client.connect()
    await this.#client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'`,
    )
    const { rows } = await this.#client.query<Index>(
      `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
       where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
      [Object.keys(COLUMNS)],
    )
    this.#indexes = rows
    await this.#client.query(`drop index ${rows.map(({ name }) => name).join(', ')}`)
  }

  add(table: TableName, values: readonly Value[]): void {
    let lines = this.#lines.get(table)
    if (!lines) this.#lines.set(table, (lines = []))
    lines.push(values.map(textOf).join('\t'))
  }

  /** Sends the rows that were added. */
  async flush(): Promise<void> {
    for (const [table, lines] of this.#lines) {
      const bytes = Buffer.from(`${lines.join('\n')}\n`)
      await copyIn(this.#client, `copy ${table} (${COLUMNS[table]}) from stdin`, inChunks(bytes))
    }
    this.#lines.clear()
  }

  async run(statement: string): Promise<void> {
    await this.#client.query(statement)
  }

  async finish(progress: (text: string) => void): Promise<void> {
    for (const { name, definition } of this.#indexes) {
      progress(`index ${name}`)
      await this.#client.query(definition)
    }
    progress('vacuum analyze')
    await this.#client.query('vacuum analyze')
    await this.#client.query('checkpoint')
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}

const CHUNK = 256 * 1024

async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}
