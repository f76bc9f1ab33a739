import assert from 'node:assert/strict'
import { sql } from '../../src/db/sql.ts'
import { reblog } from '../../src/actions/statuses/reblog.ts'
import { publishStatus } from '../../src/actions/statuses/publish.ts'
import type { StatusDraft } from '../../src/domain/statuses/draft.ts'
import { newId } from '../../src/lib/ids.ts'
import { remoteAccount } from './remote.ts'
import type { Person, TestServer } from './server.ts'

export async function post(author: Person, status: string, more: Record<string, unknown> = {}): Promise<string> {
  const { id } = await author.post('/api/v1/statuses', { status, ...more })
  return id
}

export async function boost(booster: Person, id: string): Promise<string> {
  return (await booster.post(`/api/v1/statuses/${id}/reblog`)).id
}

/** Waits until the home timeline has the posts of the followed account. */
export async function follow(
  server: TestServer,
  follower: Person,
  target: { id: string },
  options: Record<string, unknown> = {},
): Promise<void> {
  await follower.post(`/api/v1/accounts/${target.id}/follow`, options)
  await server.drain()
}

export async function idsOf(person: Person, path: string): Promise<string[]> {
  return ((await person.get(path)) as { id: string }[]).map(({ id }) => id)
}

export const home = (person: Person, query = ''): Promise<string[]> =>
  idsOf(person, `/api/v1/timelines/home?limit=40${query}`)

/** Newest first, hidden statuses included. */
export async function storedHome(server: TestServer, person: { id: string }): Promise<string[]> {
  const rows = await server.ctx.db.many<{ status_id: string }>(
    sql`select status_id from home_feed where account_id = ${person.id} order by status_id desc`,
  )
  return rows.map(({ status_id }) => status_id)
}

/** Empties the unlogged tables, as a crash of PostgreSQL does. The transaction is retried when it conflicts with another. */
export async function loseFeeds(server: TestServer): Promise<void> {
  await server.ctx.transaction((tx) => tx.db.raw('truncate home_feed, home_feeds'))
}

/** The posts on the home timeline; asserts that a rebuilt feed has the same. */
export async function rebuiltHome(server: TestServer, person: Person): Promise<string[]> {
  const written = await home(person)
  const stored = await storedHome(server, person)
  await loseFeeds(server)
  assert.deepEqual(await home(person), written, 'the rebuilt timeline')
  assert.deepEqual(await storedHome(server, person), stored, 'the rebuilt rows')
  return written
}

export type RemoteAuthor = {
  id: string
  post(content: string, draft?: Partial<StatusDraft>): Promise<string>
  boost(statusId: string): Promise<string>
}

export async function remoteAuthor(server: TestServer, username: string, domain: string): Promise<RemoteAuthor> {
  const id = await remoteAccount(server, username, domain)
  const uri = `https://${domain}/users/${username}`
  return {
    id,
    async post(content, draft = {}) {
      const statusUri = `${uri}/statuses/${newId()}`
      return (
        await publishStatus(server.ctx, {
          accountId: id,
          local: false,
          visibility: 'public',
          content,
          uri: statusUri,
          url: statusUri,
          ...draft,
        })
      ).id
    },
    boost: async (statusId) =>
      (await reblog(server.ctx, { accountId: id, statusId, uri: `${uri}/boosts/${newId()}` })).id,
  }
}

export function links(headers: Headers): { next?: string; prev?: string } {
  return Object.fromEntries(
    [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]),
  )
}
