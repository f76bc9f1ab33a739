// Web push in the client: from the switch to the notification, and to the end of the subscription.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page, Worker } from 'playwright-core'
import { clientBrowser, skipBrowser } from '../support/client.ts'
import { sql } from '../support/database.ts'
import { makeDevice, startPushService } from '../support/push.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben, finn } = await stage({ accounts: ['ada', 'ben', 'finn'] })
const browser = clientBrowser()
const service = await startPushService()
after(() => service.stop())
const device = makeDevice()

const origin = `http://${server.domain}`

/** This browser has no push service: the subscription is that of a device of the test. The rest is the browser's own. */
const withDevice = (endpoint: string) => `
  const stored = {}
  const subscription = () => ({
    endpoint: '${endpoint}',
    toJSON: () => ({ endpoint: '${endpoint}', keys: ${JSON.stringify(device.keys)} }),
    unsubscribe: async () => { localStorage.removeItem('device'); return true },
  })
  PushManager.prototype.getSubscription = async () => (localStorage.getItem('device') ? subscription() : null)
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly) throw new DOMException('It would be invisible', 'NotAllowedError')
    if (globalThis.localStorage) localStorage.setItem('device', applicationServerKey)
    return subscription()
  }`

/** Delivers a message as the browser does for its push service. */
async function delivery(page: Page): Promise<(push: unknown) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`)
      if (found) resolve(found.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  return async (push) => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(push) })
  }
}

/** This browser shows no notifications either: those that the worker shows are held. */
const HOLD = `
  globalThis.shown = []
  registration.showNotification = async (title, options) => {
    shown.push({ title, ...options, close: () => (shown = shown.filter((each) => each.title !== title)) })
  }`

/** As if a notification for each of the accounts were shown. */
const SHOWN_TO = (accounts: string[]): void => {
  const { onClosed } = globalThis as unknown as { onClosed: (account: string) => void }
  const shown = accounts.map((account) => ({ data: { account }, close: () => onClosed(account) }))
  ServiceWorkerRegistration.prototype.getNotifications = async () => shown as unknown as Notification[]
}

type Shown = { title: string; body: string; lang: string }

const shownBy = (worker: Worker): Promise<string[][]> =>
  worker.evaluate(() =>
    (globalThis as unknown as { shown: Shown[] }).shown.map(({ title, body, lang }) => [title, body, lang]),
  )

/** Waits for what the worker does. It may not focus a window, as this is no real click. */
const dispatch = (worker: Worker, type: 'notificationclick' | 'pushsubscriptionchange'): Promise<void> =>
  worker.evaluate(async (name) => {
    const [notification] = (globalThis as unknown as { shown: Shown[] }).shown
    let work: Promise<unknown> = Promise.resolve()
    const waitUntil = (promise: Promise<unknown>) => (work = promise)
    dispatchEvent(Object.assign(new Event(name), { notification, oldSubscription: null, waitUntil }))
    await work.catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'InvalidAccessError')) throw error
    })
  }, type)

/** As the server has it for this session. */
const subscription = (page: Page): Promise<any> =>
  page.evaluate(async () => {
    const response = await fetch('/api/v1/push/subscription', { headers: { authorization: 'Session' } })
    return response.ok ? response.json() : response.status
  })

/** Of ada, in a browser with a service worker, which costs most. */
let page: Page
let worker: Worker
let deliver: Awaited<ReturnType<typeof delivery>>

before(async () => {
  if (skipBrowser) return
  page = await browser.open(server, ada, {
    serviceWorkers: 'allow',
    permissions: ['notifications'],
    expectedErrors: /status of 40[14]|WebSocket/,
    path: '/notifications',
    prepare: (opening) => opening.context().addInitScript(withDevice(`${service.url}/first`)),
  })
  ;[deliver] = await Promise.all([delivery(page), page.waitForFunction(() => navigator.serviceWorker.controller)])
  const [found] = page.context().serviceWorkers()
  assert.ok(found)
  worker = found
  await worker.evaluate(HOLD)
})

const isOn = () => page.getByLabel('Show notifications on this device')
const boosts = () => page.getByRole('checkbox', { name: 'Boost', exact: true })
const hasDevice = () => page.evaluate(() => localStorage.getItem('device') !== null)
const openChoices = async () => {
  await page.goto(`${origin}/notifications`)
  await page.getByRole('button', { name: 'Notification settings' }).click()
}

test('push is switched on, shown, opened, renewed and switched off', { skip: skipBrowser }, async () => {
  const status = await ada.post('/api/v1/statuses', { status: 'Worth a look' })
  await page.getByRole('button', { name: 'Notification settings' }).click()
  await isOn().check()
  await boosts().uncheck()
  await eventually(async () => (await subscription(page)).alerts?.reblog === false)
  const { endpoint, alerts, policy, server_key: serverKey } = await subscription(page)
  const keyGiven = await page.evaluate(() => localStorage.getItem('device'))
  assert.deepEqual([endpoint, policy, serverKey], [`${service.url}/first`, 'all', keyGiven])
  assert.deepEqual([alerts.favourite, alerts.mention, alerts['admin.report']], [true, true, false])

  await server.ctx.db.run(sql`update users set locale = 'de' where id = ${ada.userId}`)
  await ben.post(`/api/v1/statuses/${status.id}/reblog`)
  await ben.post(`/api/v1/statuses/${status.id}/favourite`)
  const push = device.open(await service.at(0))
  await server.ctx.db.run(sql`update users set locale = 'en' where id = ${ada.userId}`)
  await deliver(push)
  const shown = await eventually(async () => (await shownBy(worker)).length > 0 && shownBy(worker))
  assert.deepEqual(shown, [['ben hat deinen Beitrag favorisiert', 'Worth a look', 'de']])
  await dispatch(worker, 'notificationclick')
  await page.waitForURL(`**/@ada/${status.id}`)
  assert.deepEqual(await shownBy(worker), [])
  assert.equal(service.received.length, 1)

  await worker.evaluate(withDevice(`${service.url}/second`))
  await dispatch(worker, 'pushsubscriptionchange')
  const renewed = await subscription(page)
  assert.deepEqual([renewed.endpoint, renewed.alerts, renewed.policy], [`${service.url}/second`, alerts, 'all'])

  await page.context().addInitScript(withDevice(`${service.url}/second`))
  await openChoices()
  await boosts().waitFor()
  assert.equal(await boosts().isChecked(), false)
  await isOn().uncheck()
  await eventually(async () => (await subscription(page)) === 404)
  // After the answer of the server.
  await eventually(async () => !(await hasDevice()))
})

test('a subscription that the server does not know ends in the browser', { skip: skipBrowser }, async () => {
  // Everyone may invite others, as by default in Mastodon, and manage reports.
  await server.ctx.db.run(sql`update roles set permissions = ${0x10000 | 0x10} where id = -99`)
  await page.evaluate(() => localStorage.setItem('device', 'left by a page that was closed'))
  await openChoices()
  await eventually(async () => !(await hasDevice()))
  await isOn().check()
  await eventually(async () => (await subscription(page)).endpoint === `${service.url}/second`)
  await openChoices()
  await boosts().waitFor()
  assert.ok(await hasDevice())
  const offered = (name: string) => page.getByRole('checkbox', { name, exact: true }).count()
  assert.deepEqual([await offered('Report'), await offered('Sign-up')], [1, 0])

  // As Safari on an iPhone.
  const phone = await page.context().newPage()
  await phone.addInitScript('delete window.PushManager; navigator.standalone = false')
  await phone.goto(`${origin}/notifications`)
  await phone.getByRole('button', { name: 'Notification settings' }).click()
  await phone.getByText('Add to Home Screen').waitFor()
  await phone.close()
})

test(
  'accounts of one browser share a subscription, and a message leads to its account',
  { skip: skipBrowser },
  async () => {
    const status = await ada.post('/api/v1/statuses', { status: 'Of ada' })
    await page.goto(`${origin}/auth/sign_in?again=1`)
    await page.fill('[name="user[email]"]', finn.email)
    await page.fill('[name="user[password]"]', finn.password)
    await page.click('form[action="/auth/sign_in"] button')
    await page.locator(`html[data-account="${finn.id}"] #main h1`).waitFor()
    await openChoices()
    await page.waitForLoadState('networkidle')
    assert.equal(await isOn().isChecked(), false)
    await isOn().check()
    await eventually(async () => (await subscription(page)).id)
    await isOn().uncheck()
    await eventually(async () => (await subscription(page)) === 404)
    assert.ok(await hasDevice(), 'ada still uses it')

    const count = service.received.length
    await ben.post(`/api/v1/statuses/${status.id}/favourite`)
    await deliver(device.open(await service.at(count)))
    const shown = await eventually(async () => (await shownBy(worker)).length > 0 && shownBy(worker))
    assert.deepEqual(shown, [['ben favourited your post', '@ada\nOf ada', 'en']])
    await dispatch(worker, 'notificationclick')
    await page.waitForURL(`**/@ada/${status.id}`)
    await page.locator(`html[data-account="${ada.id}"]`).getByText('Of ada').first().waitFor()

    // The push service replaced it while finn used the browser.
    const { alerts } = await subscription(page)
    await page.context().addInitScript(withDevice(`${service.url}/moved`))
    await openChoices()
    await eventually(async () => (await subscription(page)).endpoint === `${service.url}/moved`)
    assert.deepEqual((await subscription(page)).alerts, alerts)
    await eventually(() => isOn().isChecked())
    await page.keyboard.press('Escape')
  },
)

test('signing out ends the subscription, and closes what was shown to the account', { skip: skipBrowser }, async () => {
  const closed: string[] = []
  await page.exposeFunction('onClosed', (account: string) => void closed.push(account))
  await page.evaluate(SHOWN_TO, [ada.id, finn.id])
  await page.getByRole('button', { name: 'More', exact: true }).first().click()
  await page.getByRole('menuitem', { name: 'Sign out of @ada' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/auth/sign_in*')
  assert.equal((await server.database.raw('select from push_subscriptions')).rows.length, 0)
  assert.deepEqual(closed, [ada.id], 'what was shown to ada is not left to the next person')
})
