// node scripts/run.js test/support/readme-screenshots.ts: takes the screenshots of the README again, on a server with a few accounts.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { ensureClient } from '../../scripts/lib/client-build.js'
import { launchBrowser } from './browser.ts'
import { signIn } from './admin-pages.ts'
import { startTestServer, type Person } from './server.ts'

const OUT = fileURLToPath(new URL('../../docs/images/', import.meta.url))

/** The name, the colours of the avatar, and what the profile says. */
const MEMBERS = {
  ada: ['Ada', '#5b4fc4', '#8fd0c0', 'Birds, bridges and long walks.'],
  ben: ['Ben', '#e08a3c', '#f4d58a', 'Baker. Up before the birds.'],
  cleo: ['Cleo', '#2f8f83', '#bfe3a0', 'Gardens in small places.'],
  dana: ['Dana', '#c4506e', '#f3b49a', 'Plays the cello, mends radios.'],
} as const

/** A PNG. The server's media library, which this process shares, reads no SVG. */
async function rendered(svg: string): Promise<Buffer<ArrayBuffer>> {
  const page = await chromium.newPage()
  await page.setContent(svg)
  const image = await page.locator('svg').screenshot()
  await page.close()
  return image as Buffer<ArrayBuffer>
}

const avatar = (from: string, to: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400">
    <linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>
    <rect width="400" height="400" fill="url(#g)"/><circle cx="200" cy="160" r="70" fill="#fff" opacity=".85"/>
    <path d="M70 400c0-160 260-160 260 0z" fill="#fff" opacity=".85"/></svg>`

const LANDSCAPE = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600">
    <linearGradient id="s" x2="0" y2="1"><stop stop-color="#2b2f6b"/><stop offset=".55" stop-color="#c46a7a"/><stop offset="1" stop-color="#f6c77f"/></linearGradient>
    <rect width="1200" height="600" fill="url(#s)"/><circle cx="840" cy="360" r="70" fill="#fff1cf"/>
    <path d="M0 420l220-150 180 120 240-190 260 210 300-130v320H0z" fill="#5b4272"/>
    <path d="M0 500c200-60 420 40 640-10s380-50 560 0v110H0z" fill="#241c3d"/>
    <g fill="none" stroke="#241c3d" stroke-width="7" stroke-linecap="round">
      <path d="M300 150c20-22 40-22 55 0 15-22 35-22 55 0"/><path d="M430 220c14-16 28-16 40 0 12-16 26-16 40 0"/>
      <path d="M220 240c12-14 24-14 34 0 10-14 22-14 34 0"/></g></svg>`

type Look = { width: number; colorScheme: 'light' | 'dark' }

async function upload(person: Person, image: Buffer<ArrayBuffer>, description: string): Promise<string> {
  const form = new FormData()
  form.set('file', new File([image], 'image.png', { type: 'image/png' }))
  form.set('description', description)
  return (await person.send('POST', '/api/v2/media', { form })).json.id
}

async function dress(person: Person, name: keyof typeof MEMBERS): Promise<void> {
  const [displayName, from, to, note] = MEMBERS[name]
  const form = new FormData()
  form.set('display_name', displayName)
  form.set('note', note)
  form.set('avatar', new File([await rendered(avatar(from, to))], 'avatar.png', { type: 'image/png' }))
  await person.send('PATCH', '/api/v1/accounts/update_credentials', { form })
}

await ensureClient()
const server = await startTestServer({}, { fresh: true })
const chromium = await launchBrowser()
try {
  const [ada, ben, cleo, dana] = await Promise.all([
    server.person('ada'),
    server.person('ben'),
    server.person('cleo'),
    server.person('dana'),
  ])
  const members = { ada, ben, cleo, dana }
  await server.database.raw(`update oauth_apps set name = 'Rookery'`)
  for (const [name, person] of Object.entries(members)) await dress(person, name as keyof typeof MEMBERS)
  for (const { id } of [ben, cleo, dana]) await ada.post(`/api/v1/accounts/${id}/follow`)
  const say = (person: Person, status: string, more: object = {}) =>
    person.post('/api/v1/statuses', { status, ...more })
  await say(dana, 'The radio from 1962 plays again. It needed one capacitor and a lot of patience.')
  const cake = await say(ben, 'Three loaves are left on the shelf by the door. First come, first served.')
  await say(ada, 'On my way!', { in_reply_to_id: cake.id })
  const media_ids = [await upload(cleo, await rendered(LANDSCAPE), 'Hills at sunset, with birds above a lake')]
  const evening = await say(cleo, 'From the hill above the allotments this evening. #birds', { media_ids })
  const poll = { options: ['Saturday, ten o’clock', 'Sunday, after lunch'], expires_in: 86_400 }
  const question = await say(dana, 'When shall we mend bicycles together?', { poll })
  await cleo.post(`/api/v1/polls/${question.poll.id}/votes`, { choices: [0] })
  await ben.post(`/api/v1/polls/${question.poll.id}/votes`, { choices: [1] })
  await ada.post(`/api/v1/polls/${question.poll.id}/votes`, { choices: [0] })
  for (const person of [ada, ben, dana]) await person.post(`/api/v1/statuses/${evening.id}/favourite`)
  await ben.post(`/api/v1/statuses/${evening.id}/reblog`)
  await server.drain()
  mkdirSync(OUT, { recursive: true })
  const page = await chromium.newPage()
  await signIn(page, server, ada)
  const take = async (name: string, path: string, { width, colorScheme }: Look): Promise<void> => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`http://${server.domain}${path}`)
    await page.locator('article').first().waitFor()
    await page.waitForLoadState('networkidle')
    const image = sharp(await page.screenshot()).webp({ quality: 80 })
    await image.toFile(join(OUT, `${name}.webp`))
  }
  await take('desktop', '/home', { width: 800, colorScheme: 'light' })
  await say(ben, 'I can see the bakery from here!', { in_reply_to_id: evening.id })
  await say(dana, 'Were those swifts? They should be in Africa by now.', { in_reply_to_id: evening.id })
  await take('phone', `/@cleo/${evening.id}`, { width: 390, colorScheme: 'dark' })
} finally {
  await chromium.close()
  await server.stop()
}
