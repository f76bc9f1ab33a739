// Accounts that post, favourite and read while the database fails.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/server.ts'
import type { Member } from './members.ts'
import type { House } from './server-process.ts'

export type Written = { writer: Member; key: string; text: string; id?: string; favourited?: boolean }

/** Posts before and after. Four are under way at a time. */
const ENOUGH = 6

/**
 * Lets all writers write and read while `disturb` runs, until requests are refused, and until they succeed again. Every response must be a 200, or a
 * 503 with retry-after, upon which the request is repeated, as clients do. Returns the acknowledged posts.
 */
export async function underLoad(
  here: House,
  writers: readonly Member[],
  name: string,
  disturb: () => Promise<unknown>,
): Promise<Written[]> {
  const written: Written[] = []
  let over = false
  let refused = 0
  const ask = async (writer: Member, method: string, path: string, json?: unknown, key?: string): Promise<any> => {
    for (;;) {
      const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
      const answer = await here.call(method, path, writer.token, json, headers)
      if (answer.status === 200) return answer.json
      assert.equal(answer.status, 503, `${method} ${path}: ${JSON.stringify(answer.json)}`)
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
      refused++
      await sleep(100)
    }
  }
  const keepWriting = async (writer: Member, lane: number): Promise<void> => {
    for (let i = 0; !over; i++) {
      const key = `${name} ${writer.username} ${lane} ${i}`
      const one: Written = { writer, key, text: `Post ${key}` }
      const { id } = await ask(writer, 'POST', '/api/v1/statuses', { status: one.text }, key)
      written.push(Object.assign(one, { id }))
      await ask(writer, 'POST', `/api/v1/statuses/${id}/favourite`)
      one.favourited = true
      await ask(writer, 'GET', '/api/v1/timelines/home')
    }
  }
  const load = Promise.all(writers.flatMap((writer) => [0, 1].map((lane) => keepWriting(writer, lane))))
  const more = (count: number): Promise<unknown> =>
    Promise.race([eventually(async () => written.length >= count), load])
  try {
    await more(ENOUGH)
    await disturb()
    // PostgreSQL notices the loss of a process a moment later: until then, requests succeed.
    await Promise.race([eventually(async () => refused > 0), load])
    await more(written.length + ENOUGH)
  } finally {
    over = true
  }
  await load
  return written
}

/** Asserts that each acknowledged post and favourite is stored once. */
export async function assertStoredOnce(here: House, written: readonly Written[]): Promise<void> {
  for (const writer of new Set(written.map((one) => one.writer))) {
    const mine = written.filter((one) => one.writer === writer)
    const found = new Map<string, any>()
    for (let last = ''; ;) {
      const path = `/api/v1/accounts/${writer.id}/statuses?limit=40${last && `&max_id=${last}`}`
      const { json } = await here.call('GET', path, writer.token)
      if (json.length === 0) break
      for (const status of json) found.set(status.id, status)
      last = json.at(-1).id
    }
    const texts = [...found.values()].map(({ content }) => content)
    assert.equal(new Set(texts).size, texts.length, 'a post is stored twice')
    for (const { id, key, favourited } of mine) {
      assert.ok(found.has(id as string), `${key} was acknowledged, and is missing`)
      if (favourited) assert.equal(found.get(id as string).favourited, true, `the favourite of ${key} is missing`)
    }
  }
}
