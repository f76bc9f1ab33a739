import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime } from '../../../../test/support/cpu.ts'
import { canMakeHeic, makeHeic } from '../../../../test/support/heic.ts'

const skip = canMakeHeic ? false : 'node-av is not available for this platform'

test('malformed boxes are refused, quickly and without reading past the end', { skip }, async () => {
  const { readHeif } = await import('./heif.ts')
  const { Refusal } = await import('./source.ts')
  const file = await makeHeic({ columns: 2, colors: Array.from({ length: 4 }, () => [255, 0, 0]), irot: 1 })
  assert.deepEqual(readHeif(file).transformations, ['transpose=cclock'])
  const end = file.indexOf('mdat')
  const took = await cpuTime(async () => {
    for (let at = 0; at < end; at++)
      for (const value of [0, 1, 0x7f, 0xff]) {
        const mangled = Buffer.from(file)
        mangled[at] = value
        try {
          const { tiles } = readHeif(mangled)
          assert.ok(tiles.reduce((sum, { data }) => sum + data.length, 0) <= file.length)
        } catch (error) {
          assert.ok(error instanceof Refusal || error instanceof RangeError, String(error))
        }
      }
  })
  assert.ok(took < 10_000, `${took} ms`)
})
