import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { bodyOf } from './response-body.ts'

/** Bytes: two responses are more than the system holds for a client of a local socket that does not read. */
const SIZE = 200_000
const path = join(mkdtempSync(join(tmpdir(), 'rookery-bodies-')), 'socket')

/** Responds to `/a` with letters a, in pieces. */
const server = createServer(({ url = '' }, response) => {
  const pieces = Array.from({ length: 10 }, () => Buffer.alloc(SIZE / 10, url[1]))
  // Responses to other connections are made in between.
  setImmediate(() => response.end(bodyOf(pieces, response)))
})
before(() => once(server.listen(path), 'listening'))
after(() => server.closeAllConnections())
after(() => server.close())

/** Sends the requests at once. The socket is paused. */
function request(letters: string): Socket {
  const socket = connect(path).pause()
  socket.on('error', () => {})
  socket.write([...letters].map((letter) => `GET /${letter} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
  return socket
}

/** Reads all responses, and returns the bodies that contain another letter than they must. */
async function readWrong(socket: Socket, letters: string): Promise<string[]> {
  const wrong: string[] = []
  let bytes = Buffer.alloc(0)
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (const letter of letters) {
    let start = bytes.indexOf('\r\n\r\n')
    while (start < 0 || bytes.length < start + 4 + SIZE) {
      const { value, done } = await chunks.next()
      assert.ok(!done, 'the connection ended early')
      bytes = Buffer.concat([bytes, value])
      if (start < 0) start = bytes.indexOf('\r\n\r\n')
    }
    const body = bytes.subarray(start + 4, start + 4 + SIZE)
    if (!body.equals(Buffer.alloc(SIZE, letter))) wrong.push(letter)
    bytes = bytes.subarray(start + 4 + SIZE)
  }
  socket.destroy()
  return wrong
}

test('a response that waits for its reader is not overwritten by those to other, also aborted requests', async () => {
  const letters = 'abcdefghij'
  const slow = request(letters)
  for (let round = 0; round < 10; round++) {
    const aborted = request('uvwxyz')
    const [answer] = await Promise.all([readWrong(request('klm'), 'klm'), once(aborted, 'readable')])
    aborted.destroy()
    assert.deepEqual(answer, [])
  }
  assert.deepEqual(await readWrong(slow, letters), [])
})
