// States of the web client after a step or two on a screen: dialogs, menus and errors. For screenshots and checks.
import {
  accountMenu,
  answers,
  article,
  dialog,
  fails,
  FIRST,
  never,
  openComposer,
  OWN,
  press,
  settle,
  statusMenu,
  type ClientState,
  type Scene,
} from './client-scene.ts'
import { COMPOSER_STATES } from './client-states-compose.ts'

const STATUSES: readonly ClientState[] = [
  { name: 'status-menu', path: '/tags/birds', show: (scene) => statusMenu(scene, FIRST) },
  { name: 'own-status-menu', path: '/@ada', show: (scene) => statusMenu(scene, OWN) },
  {
    name: 'boost-menu',
    path: '/tags/birds',
    show: (scene) => press(article(scene.page, FIRST), scene.t.statuses.boost),
  },
  {
    name: 'report',
    path: '/tags/birds',
    async show(scene) {
      await statusMenu(scene, FIRST, scene.t.statuses.report_item)
      await scene.page.getByRole('radio').first().waitFor()
    },
  },
  {
    name: 'report-statuses',
    path: '/tags/birds',
    async show(scene) {
      await statusMenu(scene, FIRST, scene.t.statuses.report_item)
      await scene.page.getByLabel(scene.t.statuses.report.categories.spam).check()
      await press(dialog(scene.page), scene.t.statuses.report.next)
      await scene.page.locator('.reportable').first().waitFor()
    },
  },
  {
    name: 'report-comment',
    path: '/@faraway@far.test',
    async show(scene) {
      await accountMenu(scene, scene.t.statuses.report_item)
      await scene.page.getByLabel(scene.t.statuses.report.categories.spam).check()
      await press(dialog(scene.page), scene.t.statuses.report.next)
      await press(dialog(scene.page), scene.t.statuses.report.next)
      await dialog(scene.page).locator('textarea').waitFor()
    },
  },
  {
    name: 'filter',
    path: '/tags/birds',
    show: (scene) => statusMenu(scene, FIRST, scene.t.statuses.filter_post),
  },
  { name: 'embed', path: '/tags/birds', show: (scene) => statusMenu(scene, FIRST, scene.t.statuses.embed) },
  {
    name: 'quote-policy',
    path: '/@ada',
    show: (scene) => statusMenu(scene, OWN, scene.t.statuses.quote_policy),
  },
  { name: 'delete', path: '/@ada', show: (scene) => statusMenu(scene, OWN, scene.t.statuses.delete) },
  {
    name: 'announcements',
    path: '/home',
    async show({ page }) {
      await page.locator('.announcements-button').click()
      await page.locator('.announcement').waitFor()
    },
  },
  {
    name: 'viewer',
    path: '/tags/birds',
    async show(scene) {
      await scene.page.locator('.media-grid a').first().click()
      await scene.page.locator('.pswp__img').first().waitFor()
      await scene.page.waitForTimeout(800)
    },
  },
  {
    name: 'hover-card',
    path: '/home',
    async show(scene) {
      const link = article(scene.page, FIRST).locator('.account-link').first()
      await link.scrollIntoViewIfNeeded()
      await settle(scene)
      await link.hover()
      await scene.page.locator('.hover-card').waitFor({ timeout: 3000 })
      await settle(scene)
    },
  },
  {
    name: 'toast',
    path: '/tags/birds',
    async show(scene) {
      await press(article(scene.page, FIRST), scene.t.statuses.bookmark)
      await scene.page.locator('.toast').waitFor()
      await press(article(scene.page, FIRST), scene.t.statuses.bookmark)
    },
  },
]

const ACCOUNTS: readonly ClientState[] = [
  { name: 'account-menu', path: '/@ben', show: (scene) => accountMenu(scene) },
  {
    name: 'mute',
    path: '/@ben',
    show: (scene) => accountMenu(scene, scene.t.accounts.mute_item),
  },
  {
    name: 'follow-options',
    path: '/@ben',
    show: (scene) => accountMenu(scene, scene.t.accounts.follow_options),
  },
  { name: 'lists-dialog', path: '/@ben', show: (scene) => accountMenu(scene, scene.t.accounts.lists) },
  { name: 'block', path: '/@ben', show: (scene) => accountMenu(scene, scene.t.accounts.block_item) },
  {
    name: 'block-domain',
    path: '/@faraway@far.test',
    show: (scene) => accountMenu(scene, scene.t.accounts.block_domain_item({ host: 'far.test' })),
  },
]

const FRAME: readonly ClientState[] = [
  { name: 'more', path: '/home', show: ({ page }) => page.locator('.more-entry').click() },
  {
    name: 'accounts',
    path: '/home',
    hasTwoAccounts: true,
    async show(scene) {
      await scene.page.locator('.more-entry').click()
      const item = scene.page.getByRole('menuitem', { name: scene.t.offline.switch_to({ handle: 'ben' }) })
      await item.scrollIntoViewIfNeeded()
      await settle(scene)
    },
  },
  {
    name: 'side-panel',
    path: '/home',
    async prepare({ page, stage }) {
      const accounts = (await stage.viewer.get('/api/v1/directory?limit=3')) as { id: string }[]
      const json = accounts.map((account) => ({ source: 'featured', sources: ['featured'], account }))
      await page.route('**/api/v2/suggestions*', (route) => route.fulfill({ json }))
    },
    show: ({ page }) => page.waitForTimeout(2000),
  },
  {
    name: 'composer-accounts',
    path: '/home',
    hasTwoAccounts: true,
    async show(scene) {
      await openComposer(scene)
      await settle(scene)
    },
  },
  { name: 'add-account', path: '/auth/sign_in?again=1', hasTwoAccounts: true, show: async () => {} },
  {
    name: 'keyboard',
    path: '/home',
    async show(scene) {
      await settle(scene)
      await scene.page.keyboard.press('?')
      await scene.page.locator('.shortcuts').waitFor()
    },
  },
  {
    name: 'palette',
    path: '/home',
    async show(scene) {
      await settle(scene)
      await scene.page.keyboard.press('Control+k')
      await dialog(scene.page).getByRole('combobox').waitFor()
      await settle(scene)
    },
  },
  {
    name: 'palette-found',
    path: '/home',
    async show(scene) {
      await settle(scene)
      await scene.page.keyboard.press('Control+k')
      await dialog(scene.page).getByRole('combobox').fill('b')
      await settle(scene)
    },
  },
  {
    name: 'add-column',
    path: '/deck',
    async show(scene) {
      await press(scene.page.locator('.deck-end'), scene.t.appearance.add_column)
      await scene.page.locator('.column-choices').waitFor()
      await settle(scene)
    },
  },
  {
    name: 'tag-form',
    path: '/tags/birds?any=robins,herons&none=cats&local=true',
    show: ({ page, t }) => press(page.locator('.page-actions'), t.hashtags.choose),
  },
  {
    name: 'shortcuts',
    path: '/tags/birds?any=robins',
    async show({ page, t }) {
      await press(page.locator('.page-actions'), t.columns.pin)
      await page.getByRole('menuitemcheckbox', { name: t.columns.in_navigation }).click()
      await press(page.locator('.page-actions'), t.columns.pin)
    },
  },
  {
    name: 'linked-address',
    path: '/tags/birds',
    prepare: ({ page }) =>
      page.route('**/api/v1/timelines/tag/birds*', async (route) => {
        const response = await route.fetch()
        const statuses = (await response.json()) as { content: string }[]
        for (const [index, status] of statuses.slice(0, 6).entries()) {
          const address = `https://far.test/@faraway/1234567890${index}`
          status.content += `<p><a href="${address}">${address}</a></p>`
        }
        // Later pages are empty.
        const [last] = statuses.slice(-1)
        if (last) await page.route('**/api/v2/search*', (each) => each.fulfill({ json: { statuses: [last] } }))
        await route.fulfill({ response, json: statuses })
      }),
    async show({ page, t }) {
      const button = page.getByRole('button', { name: t.linked.show })
      await button.first().click()
      await page.locator('blockquote.quoted a:focus').waitFor()
    },
  },
  {
    name: 'accent',
    path: '/appearance',
    async show({ page, t }) {
      const choice = page.getByLabel(t.appearance.choices.accent.copper)
      await choice.check()
      await choice.scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'accent-home',
    path: '/tags/birds',
    prepare: ({ page }) =>
      page.addInitScript(() => {
        const settings = JSON.parse(localStorage['rookery.settings'] ?? '{}') as object
        localStorage['rookery.settings'] = JSON.stringify({ ...settings, accent: 'teal' })
      }),
    show: settle,
  },
  {
    name: 'import-settings',
    path: '/appearance',
    async show({ page, t }) {
      const settings = { theme: 'dark', fontSize: 125, hideBoosts: true, columns: ['/home', '/tags/birds?none=cats'] }
      const content = { format: 'rookery-settings', version: 1, account: '@ada@example.org', settings }
      await page.locator('.appearance input[type=file]').setInputFiles({
        name: 'settings.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify({ ...content, exportedAt: '2026-11-01T12:00:00Z' })),
      })
      await page.getByText(t.transfer.preview_title).waitFor()
    },
  },
  {
    name: 'policy',
    path: '/notifications',
    async show(scene) {
      await press(scene.page.locator('.page-actions'), scene.t.notifications.settings)
      await dialog(scene.page).locator('input, select').first().waitFor()
    },
  },
  {
    name: 'search-suggestions',
    path: '/search',
    async show(scene) {
      await scene.page.getByRole('combobox').first().pressSequentially('b')
      await scene.page.getByRole('option').nth(1).waitFor()
      await settle(scene)
    },
  },
  {
    name: 'new-posts',
    path: '/public/local',
    async show({ page, stage }) {
      await page.locator('article').nth(2).waitFor()
      await page.mouse.wheel(0, 900)
      await page.waitForTimeout(1000)
      await stage.friend.post('/api/v1/statuses', { status: 'Just now' })
      await page.locator('.new-pill .button').waitFor()
    },
  },
  {
    name: 'pull',
    path: '/public/local',
    async prepare({ page }) {
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 })
    },
    async show({ page }) {
      await page.locator('.pull-to-refresh').waitFor({ state: 'attached' })
      const session = await page.context().newCDPSession(page)
      for (const [type, y] of [
        ['touchStart', 300],
        ['touchMove', 340],
        ['touchMove', 470],
      ] as const)
        await session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: 200, y }] })
    },
  },
  { name: 'search-results', path: '/search?q=birds', show: settle },
  { name: 'search-nothing', path: '/search?q=zzzzqqqq', show: settle },
]

const TROUBLE: readonly ClientState[] = [
  { name: 'loading', path: '/public/local', prepare: never('**/api/v1/timelines/public*'), show: settle },
  { name: 'failed', path: '/public/local', prepare: fails('**/api/v1/timelines/public*', 503), show: settle },
  { name: 'empty-bookmarks', path: '/bookmarks', prepare: answers('**/api/v1/bookmarks*'), show: settle },
  { name: 'empty-home', path: '/home', prepare: answers('**/api/v1/timelines/home*'), show: settle },
  { name: 'first-steps', path: '/home', prepare: newcomer, show: settle },
  { name: 'empty-notifications', path: '/notifications', prepare: empties, show: settle },
  { name: 'empty-conversations', path: '/conversations', prepare: answers('**/api/v1/conversations*'), show: settle },
  { name: 'empty-lists', path: '/lists', prepare: answers('**/api/v1/lists*'), show: settle },
  { name: 'empty-filters', path: '/filters', prepare: answers('**/api/v2/filters*'), show: settle },
  {
    name: 'empty-collections',
    path: '/collections',
    prepare: answers('**/api/v1*/accounts/*/*collections*', { collections: [] }),
    show: settle,
  },
  { name: 'empty-explore', path: '/explore', prepare: answers('**/api/v1/trends/**'), show: settle },
  { name: 'empty-requests', path: '/follow_requests', prepare: answers('**/api/v1/follow_requests*'), show: settle },
  { name: 'empty-tags', path: '/followed_tags', prepare: answers('**/api/v1/followed_tags*'), show: settle },
  {
    name: 'offline',
    path: '/home',
    async show(scene) {
      await openComposer(scene, 'Written without a connection')
      await settle(scene)
      await scene.page.context().setOffline(true)
      await scene.page.locator('.composer-actions > .button').click()
      await scene.page.waitForTimeout(2000)
    },
  },
  {
    name: 'session-ended',
    path: '/home',
    async show(scene) {
      await scene.page.route('**/api/v1/timelines/public*', (route) =>
        route.fulfill({ status: 401, json: { error: 'The access token is invalid' } }),
      )
      await scene.page.locator('.entry[href="/public/local"]').dispatchEvent('click')
      await settle(scene)
    },
  },
]

async function empties(scene: Scene): Promise<void> {
  await answers('**/api/v2/notifications*', { accounts: [], statuses: [], notification_groups: [] })(scene)
}

/** Pretends that the viewer follows no account, and has posted nothing. */
async function newcomer(scene: Scene): Promise<void> {
  await answers('**/api/v1/timelines/home*')(scene)
  await scene.page.route('**/accounts/verify_credentials', async (route) => {
    const response = await route.fetch()
    const me = (await response.json()) as object
    await route.fulfill({ response, json: { ...me, statuses_count: 0, following_count: 0 } })
  })
}

export const CLIENT_STATES: readonly ClientState[] = [
  ...COMPOSER_STATES,
  ...STATUSES,
  ...ACCOUNTS,
  ...FRAME,
  ...TROUBLE,
]
