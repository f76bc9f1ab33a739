import assert from 'node:assert/strict'
import fs from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { createLog } from './log.ts'

for (const [code, cause] of [
  ['ENOSPC', 'a full disk'],
  ['EAGAIN', 'a reader that stands still'],
])
  test(`lines that ${cause} does not take wait up to a limit, and the log says later how many were dropped`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const log = createLog('info')
    const written: string[] = []
    let isFull = true
    t.mock.method(fs, 'writeSync', (_fd: number, data: string | Buffer) => {
      if (isFull) throw Object.assign(new Error('cannot be written'), { code })
      written.push(data.toString())
      return Buffer.byteLength(data)
    })
    for (let n = 1; n <= 500; n++) log.info({ n, text: 'x'.repeat(5000) }, 'line')
    isFull = false
    t.mock.timers.tick(1000)
    await setImmediate()
    const lines = written
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { n?: number; msg: string; lines?: number })
    const last = lines.findLast(({ n }) => n !== undefined)?.n ?? 0
    assert.ok(last > 100 && last < 250, `${last} lines waited`)
    assert.deepEqual([lines.at(-1)?.msg, lines.at(-1)?.lines], ['log.dropped', 500 - last])
  })
