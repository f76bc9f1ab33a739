import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { convertMedia, inspectMedia, probeSandbox, possibleSandboxes, Invalid } from '../support/internals.ts'
import { canMakeVideos, makeVideo, tone, type VideoOptions } from '../support/media-files.ts'
import { eventually, type Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const skip = canMakeVideos ? false : 'node-av is not available for this platform'
const INVALID_TYPE = 'Validation failed: File content type is invalid, File is invalid'

const { server, ada } = await stage({ accounts: ['ada'] })
const folder = await mkdtemp(join(tmpdir(), 'rookery-hostile-'))
after(() => rm(folder, { recursive: true }))

const makeFile = async (name: string, how: VideoOptions = {}): Promise<Buffer> =>
  readFile(await makeVideo(folder, name, how))

function upload(file: Buffer, version = 'v2'): Promise<Answer> {
  const data = new FormData()
  data.append('file', new Blob([file as never], { type: 'video/mp4' }), 'film.mp4')
  return ada.send('POST', `/api/${version}/media`, { form: data })
}

async function refused(file: Buffer, message: string | RegExp = INVALID_TYPE): Promise<void> {
  const started = performance.now()
  const { status, json } = await upload(file)
  assert.equal(status, 422, JSON.stringify(json))
  if (typeof message === 'string') assert.equal(json.error, message)
  else assert.match(json.error, message)
  assert.ok(performance.now() - started < 90_000)
  await assertNothingLeft()
  assert.equal((await ada.send('GET', '/api/v1/accounts/verify_credentials')).status, 200)
}

/** Waits, since an upload is removed after its response. */
async function assertNothingLeft(): Promise<void> {
  await eventually(async () => (await left()).length === 0).catch(() => {})
  assert.deepEqual(await left(), [])
}

/** Temporary files, stored files and rows that remain. */
async function left(): Promise<string[]> {
  const { dataDir } = server.ctx.config
  const stored = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(() => [])
  const { rows } = await server.database.raw('select id from media_attachments')
  return [
    ...(await readdir(join(dataDir, 'tmp')).catch(() => [])),
    ...stored.filter((entry) => entry.isFile()).map(({ name }) => name),
    ...rows.map(({ id }) => String(id)),
  ]
}

/** Writes a number at an offset from the first occurrence of a name. */
function patched(file: Buffer, name: string, offset: number, value: number): Buffer {
  const copy = Buffer.from(file)
  const at = copy.indexOf(name)
  assert.ok(at > 0)
  copy.writeUInt32BE(value, at + offset)
  return copy
}

test('a video that is truncated before its index is refused', { skip }, async () => {
  const whole = await makeFile('whole.mp4')
  await refused(whole.subarray(0, whole.length / 2))
  await refused(whole.subarray(0, 40))
})

test('files that are not media are refused, whatever their name and declared type', { skip }, async () => {
  await refused(Buffer.concat([Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1'), Buffer.alloc(2000, 1)]))
  await refused(Buffer.from('<!doctype html><script>alert(1)</script>'))
  await refused(Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'))
  await refused(Buffer.from('ffconcat version 1.0\nfile /etc/passwd\n'))
  await refused(Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1'), Buffer.alloc(5000, 7)]))
  await refused(Buffer.concat([Buffer.from('\x1aE\xdf\xa3', 'latin1'), Buffer.alloc(5000, 0xff)]))
  await refused(Buffer.concat([Buffer.from('OggS'), Buffer.alloc(5000, 0xfe)]))
})

test(
  'a video above the limits of frame rate or size is refused with an error that names the value',
  { skip },
  async () => {
    await refused(
      await makeFile('fast.mp4', { rate: 1000, seconds: 0.1, audio: null }),
      '1000fps videos are not supported',
    )
    const large = await makeFile('large.mp4', { width: 4096, height: 2304, seconds: 0.1, rate: 10, audio: null })
    await refused(large, '4096x2304 videos are not supported')
  },
)

test('files that declare huge sizes do no harm', { skip }, async () => {
  const small = await makeFile('small.mp4', { seconds: 0.4 })
  const sizes = patched(small, 'stsd', 44, 0xffff_ffff)
  const answer = await upload(sizes, 'v1')
  assert.ok([200, 422].includes(answer.status))
  if (answer.status === 200) assert.equal((await ada.send('DELETE', `/api/v1/media/${answer.json.id}`)).status, 200)
  await assertNothingLeft()
  const gif = Buffer.from(
    'GIF89a\xff\xff\xff\xff\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;',
    'latin1',
  )
  await refused(gif, /not supported|invalid/)
  const apng = await makeFile('a.apng', {
    video: 'apng',
    audio: null,
    pixels: 'rgba',
    seconds: 0.2,
    width: 320,
    height: 240,
  })
  await refused(patched(apng, 'IHDR', 4, 60_000), '60000x240 videos are not supported')
})

test('a false declared duration is ignored or refused', { skip }, async () => {
  // First a duration of 0x7fffffff units per frame, then as many frames.
  const short = await makeFile('ever.mp4', { audio: null })
  for (const offset of [16, 12]) {
    const answer = await upload(patched(short, 'stts', offset, 0x7fff_ffff), 'v1')
    const isRight = answer.status === 200 && answer.json.meta.original.duration < 2
    assert.ok(isRight || answer.status === 422, answer.text)
  }
  for (const { id } of (await server.database.raw('select id from media_attachments')).rows)
    await ada.delete(`/api/v1/media/${id}`)
  const { status, json } = await upload(tone(0.5, 0xffff_0000), 'v1')
  if (status === 200) {
    assert.ok(json.meta.original.duration < 2)
    await ada.delete(`/api/v1/media/${json.id}`)
  } else assert.equal(status, 422)
  await assertNothingLeft()
})

test('data appended to a video is removed', { skip }, async () => {
  const page = Buffer.from('<html><script>alert("polyglot")</script></html>')
  const { status, json } = await upload(Buffer.concat([await makeFile('poly.mp4'), page]), 'v1')
  assert.equal(status, 200)
  const answer = await server.send('GET', new URL(json.url).pathname)
  assert.ok(!answer.text.includes('polyglot'))
  assert.equal(answer.headers.get('content-type'), 'video/mp4')
  await ada.delete(`/api/v1/media/${json.id}`)
  await assertNothingLeft()
})

test('no file leads FFmpeg to another file, whatever demuxer reads it', { skip }, async () => {
  // A video, so that opening it would succeed.
  const secret = await makeVideo(server.ctx.config.dataDir, 'secret.mp4', { seconds: 0.4 })
  const crafted: [demuxer: string, text: string][] = [
    ['hls', `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`],
    ['hls', `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nsubfile,,start,0,end,0,,:${secret}\n#EXT-X-ENDLIST\n`],
    ['hls', `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${server.url}/files/x.mp4\n#EXT-X-ENDLIST\n`],
    ['concat', `ffconcat version 1.0\nfile '${secret}'\n`],
    ['concat', `ffconcat version 1.0\nfile 'file:${secret}'\noption safe 0\n`],
    [
      'dash',
      `<MPD type="static"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1"><BaseURL>${secret}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    ],
    ['srt', `1\n00:00:00,000 --> 00:00:01,000\n<img src="file://${secret}">\n`],
    ['lavfi', `movie=${secret}`],
  ]
  for (const [demuxer, text] of crafted) {
    await refused(Buffer.from(text))
    const path = join(folder, 'crafted')
    await writeFile(path, text)
    const target = join(folder, 'crafted.mp4')
    await assert.rejects(inspectMedia(server.ctx, { path, demuxer, isAnimation: false, target }), Invalid)
    await assert.rejects(readFile(target))
  }
  await rm(secret)
})

test('a QuickTime file that refers to data in another file is refused', { skip }, async () => {
  const secret = await makeVideo(server.ctx.config.dataDir, 'data.mov', { seconds: 0.4, audio: null })
  const bytes = await readFile(secret)
  const path = join(folder, 'reference.mov')
  await writeFile(path, withReference(bytes, secret))
  const target = join(folder, 'reference.mp4')
  await assert.rejects(inspectMedia(server.ctx, { path, demuxer: 'mov', isAnimation: false, target }), Invalid)
  await assert.rejects(readFile(target))
  await rm(secret)
})

/** The video without its data: its data reference names `path` instead, as an alias in the two ways that FFmpeg reads. */
function withReference(video: Buffer, path: string): Buffer {
  const box = (name: string, ...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts)
    const head = Buffer.alloc(8)
    head.writeUInt32BE(body.length + 8)
    head.write(name, 4, 'latin1')
    return Buffer.concat([head, body])
  }
  const text = Buffer.from(path)
  const record = Buffer.alloc(4 + 150)
  record.write('data.mov', 4 + 51)
  record[4 + 50] = 8
  const entry = (type: number, data: Buffer): Buffer => {
    const head = Buffer.alloc(4)
    head.writeInt16BE(type)
    head.writeUInt16BE(data.length, 2)
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
  }
  const alias = box('alis', record, entry(2, text), entry(18, text), entry(-1, Buffer.alloc(0)))
  const rewrite = (bytes: Buffer): Buffer => {
    const parts: Buffer[] = []
    for (let at = 0; at + 8 <= bytes.length;) {
      const size = bytes.readUInt32BE(at)
      const name = bytes.toString('latin1', at + 4, at + 8)
      const body = bytes.subarray(at + 8, at + size)
      if (['moov', 'trak', 'mdia', 'minf', 'dinf'].includes(name)) parts.push(box(name, rewrite(body)))
      else if (name === 'dref') parts.push(box(name, Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), alias))
      else if (name !== 'mdat') parts.push(bytes.subarray(at, at + size))
      at += Math.max(size, 8)
    }
    return Buffer.concat(parts)
  }
  return rewrite(video)
}

test('the media process cannot read other files, and passes on compiled code', { skip }, async () => {
  const path = join(server.ctx.config.dataDir, 'secret')
  await writeFile(path, 'secret', { mode: 0o644 })
  for (const sandbox of possibleSandboxes()) {
    const code = new Map<string, Buffer>()
    const reply = await probeSandbox(server.ctx, sandbox, path, code)
    // Native code does not obey Node's permissions: that is why they are only the last resort.
    if ('probed' in reply)
      assert.deepEqual(reply.probed, { runtimeReads: false, libraryReads: sandbox === 'permissions' })
    else assert.notEqual(sandbox, 'permissions', JSON.stringify(reply))
    // Another user cannot reach the working directory by name, which Node needs for its compile cache.
    if ('probed' in reply && sandbox !== 'user') assert.ok(code.size > 0, sandbox)
  }
  await rm(path)
})

/** The user of a server that root does not run. */
const OTHER_USER = { uid: 61_338, gid: 61_338 }
const NEW_MOUNT = ['--user', '--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']

const execute = promisify(execFile)

/** The answer of the probe in the strongest sandbox, on a server with a low priority. `project` has the code. */
async function probe(project: string, home: string, user: { uid?: number; gid?: number } = {}): Promise<unknown> {
  const task = { kind: 'probe', target: '/etc/passwd', demuxer: '', isAnimation: false }
  const folders = { work: join(home, 'work'), root: join(home, 'root'), dataDir: home }
  const program = `
    import { openSync } from 'node:fs'
    import { setPriority } from 'node:os'
    import { spawnConfined } from ${JSON.stringify(pathToFileURL(join(project, 'src/domain/media/av/sandbox.ts')))}
    const confined = { sandbox: 'namespaces', ...${JSON.stringify(folders)}, source: openSync('/dev/null') }
    setPriority(12)
    const child = await spawnConfined(${JSON.stringify(task)}, confined)
    child.stdout.pipe(process.stdout)
    child.stderr.pipe(process.stderr)`
  const args = ['--input-type=module', '--eval', program]
  return JSON.parse((await execute(process.execPath, args, { ...user, cwd: '/' })).stdout)
}

const PROJECT = join(import.meta.dirname, '../..')
const CONFINED = { probed: { runtimeReads: false, libraryReads: false } }

test('the strongest sandbox works for a server that root does not run', { skip }, async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can become another user')
  const mayMount = await execute('unshare', NEW_MOUNT, OTHER_USER).catch(() => null)
  if (!mayMount) return t.skip('another user may not mount here')
  const home = await mkdtemp(join(folder, 'home-'))
  const [work, root] = [join(home, 'work'), join(home, 'root')]
  for (const path of [work, root]) await mkdir(path)
  for (const path of [home, work, root]) await chown(path, OTHER_USER.uid, OTHER_USER.gid)
  await chmod(folder, 0o711)
  assert.deepEqual(await probe(PROJECT, home, OTHER_USER), CONFINED)
})

test('the strongest sandbox works where node_modules is a link', { skip }, async (t) => {
  if (!(await execute('unshare', NEW_MOUNT).catch(() => null))) return t.skip('this user may not mount here')
  const [project, home] = [await mkdtemp(join(folder, 'project-')), await mkdtemp(join(folder, 'home-'))]
  for (const path of ['work', 'root']) await mkdir(join(home, path))
  for (const path of ['package.json', 'src']) await cp(join(PROJECT, path), join(project, path), { recursive: true })
  await symlink(join(PROJECT, 'node_modules'), join(project, 'node_modules'))
  assert.deepEqual(await probe(project, home), CONFINED)
})

test('a video that is too large is refused', { skip }, async () => {
  const size = 99 * 1024 * 1024
  const padded = Buffer.concat([await makeFile('padded.mp4', { seconds: 0.2 }), Buffer.alloc(size)])
  const { status } = await upload(padded)
  assert.ok(status === 422 || status === 413)
  await assertNothingLeft()
})

/** A small GIF of many large frames, whose conversion takes minutes. */
async function makeBomb(): Promise<string> {
  const one = await sharp({ create: { width: 2800, height: 2800, channels: 3, background: 'teal' } })
    .gif()
    .toBuffer()
  // Everything between the palette and the last byte is one frame with its blocks.
  const start = 13 + 3 * 2 ** (((one[10] ?? 0) & 7) + 1)
  const frames = Array<Buffer>(1000).fill(one.subarray(start, -1))
  const path = join(folder, 'bomb.gif')
  await writeFile(path, Buffer.concat([one.subarray(0, start), ...frames, one.subarray(-1)]))
  return path
}

test('a media process that takes too long is stopped, and the next one succeeds', { skip }, async () => {
  const path = await makeVideo(folder, 'quick.mp4', { audio: null })
  const job = { path, demuxer: 'mov', isAnimation: false, target: join(folder, 'result.mp4') }
  const started = performance.now()
  await assert.rejects(inspectMedia(server.ctx, job, 0.02), Invalid)
  const slow = { ...job, path: await makeBomb(), demuxer: 'gif', isAnimation: true }
  await assert.rejects(convertMedia(server.ctx, slow, 0.5), Invalid)
  assert.ok(performance.now() - started < 90_000)
  assert.equal((await convertMedia(server.ctx, job)).width, 64)
})

test('concurrent uploads are all processed or refused', { skip }, async () => {
  const file = await makeFile('many.mp4', { seconds: 0.4 })
  const answers = await Promise.all(Array.from({ length: 3 }, (_, i) => upload(i === 1 ? file.subarray(0, 900) : file)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 422, 202],
  )
  await server.drain()
  for (const { status, json } of answers)
    if (status === 202) {
      assert.equal((await ada.send('GET', `/api/v1/media/${json.id}`)).status, 200)
      await ada.delete(`/api/v1/media/${json.id}`)
    }
  await assertNothingLeft()
})
