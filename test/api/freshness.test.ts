// Two processes share nothing but the database. While clients read from both, another one changes what they see: each read that
// starts after the change was acknowledged shows it, on either.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, type Change, onAda, type Scene } from '../support/freshness/change.ts'
import { peopleChanges } from '../support/freshness/people.ts'
import { staffChanges } from '../support/freshness/staff.ts'
import { statusChanges } from '../support/freshness/statuses.ts'
import { startTwin } from '../support/server-pool.ts'
import { startTestServer, type Person } from '../support/server.ts'

const server = await startTestServer({})
const twin = await startTwin(server.ctx)
after(async () => {
  // The database of both ends with the server.
  await twin.stop()
  await server.stop()
})
const owner = await server.person('owner', { role: 'owner' })

const READERS = 2
/** Reads of each reader that begin after the change: the second one after what the other reader had begun before the change. */
const READS_AFTER = 2

const send = (base: string, path: string, { token }: Person, from = '192.0.2.1'): Promise<Answer> =>
  server.send('GET', base + path, { token, headers: { host: server.domain, 'x-forwarded-for': from } })

async function setScene(name: string, row: Change): Promise<Scene> {
  const [ada, bob] = await Promise.all([server.person(`a${name}`), server.person(`b${name}`)])
  const scene: Scene = {
    server,
    owner,
    ada,
    bob,
    it: null,
    status: await ada.post('/api/v1/statuses', { status: 'first' }),
  }
  await onAda('follow', scene)
  scene.it = await row.prepare?.(scene)
  return scene
}

let number = 0
for (const [name, row] of Object.entries({ ...statusChanges, ...peopleChanges, ...staffChanges }))
  test(name, async () => {
    const scene = await setScene(String(++number), row)
    const read = row.read(scene)
    const [path, reader = scene.bob] = typeof read === 'string' ? [read] : read
    let acknowledged = Infinity
    const outdated: string[] = []
    const hammer = async (where: string, base: string): Promise<void> => {
      for (let late = 0; late < READS_AFTER;) {
        const begun = performance.now()
        const answer = await send(base, path, reader, row.from)
        if (begun < acknowledged) continue
        late++
        if (!row.expect(answer, scene))
          outdated.push(
            `${where}: ${(begun - acknowledged).toFixed(1)} ms after the change, ${answer.status} ${JSON.stringify(answer.json).slice(0, 300)}`,
          )
      }
    }
    const bases = { 'the writing process': server.url, 'the other process': twin.address }
    for (const base of Object.values(bases))
      assert.equal(
        row.expect(await send(base, path, reader, row.from), scene),
        false,
        'the change is visible before it is made',
      )
    const reading = Object.entries(bases).flatMap(([where, base]) =>
      Array.from({ length: READERS }, () => hammer(where, base)),
    )
    await row.change(scene).finally(() => (acknowledged = performance.now()))
    await Promise.all(reading)
    assert.deepEqual(outdated, [])
  })
