// The composer, and the dialogs and menus that open in it.
import {
  addImages,
  article,
  dialog,
  FIRST,
  openComposer,
  pasteText,
  press,
  settle,
  type ClientState,
} from './client-scene.ts'

export const COMPOSER_STATES: readonly ClientState[] = [
  { name: 'composer', path: '/home', show: (scene) => openComposer(scene) },
  {
    name: 'composer-long',
    path: '/home',
    async show(scene) {
      await openComposer(scene, 'One bird, two birds. '.repeat(20))
      await press(scene.page.locator('.composer-tools'), scene.t.compose.warning)
      await press(scene.page.locator('.composer-tools'), scene.t.compose.add_post)
    },
  },
  {
    name: 'composer-poll',
    path: '/home',
    async show(scene) {
      await openComposer(scene, 'Which bird?')
      await press(scene.page.locator('.composer-tools'), scene.t.compose.poll)
    },
  },
  {
    name: 'composer-media',
    path: '/home',
    async show(scene) {
      await openComposer(scene, 'Three images')
      await addImages(scene)
    },
  },
  {
    name: 'media-dialog',
    path: '/home',
    async show(scene) {
      await openComposer(scene)
      await addImages(scene)
      await press(scene.page, scene.t.compose.add_alt({ number: '2' }))
    },
  },
  {
    name: 'crop',
    path: '/home',
    async show(scene) {
      await openComposer(scene)
      await addImages(scene)
      await press(scene.page, scene.t.compose.add_alt({ number: '1' }))
      await press(dialog(scene.page), scene.t.compose.crop)
      await scene.page.locator('cropper-selection').waitFor()
    },
  },
  {
    name: 'alt-missing',
    path: '/home',
    async show(scene) {
      await openComposer(scene, 'Three images')
      await addImages(scene)
      await scene.page.locator('.composer-actions > .button').click()
      await scene.page.getByText(scene.t.compose.alt_missing_title).waitFor()
    },
  },
  {
    name: 'visibility',
    path: '/home',
    async show(scene) {
      await openComposer(scene, '@ben hello')
      await press(scene.page, scene.t.compose.visibility)
      await scene.page.getByRole('menuitemradio').first().waitFor()
    },
  },
  {
    name: 'direct',
    path: '/home',
    async show(scene) {
      await openComposer(scene, '@ben hello')
      await press(scene.page, scene.t.compose.visibility)
      await scene.page.getByRole('menuitemradio').last().click()
    },
  },
  {
    name: 'quote-policy-menu',
    path: '/home',
    async show(scene) {
      await openComposer(scene)
      await scene.page.locator('.composer-choices .composer-choice').nth(1).click()
    },
  },
  {
    name: 'emoji-picker',
    path: '/home',
    async show(scene) {
      await openComposer(scene)
      await press(scene.page, scene.t.compose.emojis)
      await scene.page.locator('.emoji-grid button').first().waitFor()
    },
  },
  {
    name: 'autocomplete',
    path: '/home',
    async show(scene) {
      const area = await openComposer(scene)
      await area.pressSequentially('Hello @b')
      await scene.page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'schedule',
    path: '/home',
    async show(scene) {
      await openComposer(scene, 'Later')
      await press(scene.page.locator('.composer-tools'), scene.t.compose.schedule)
    },
  },
  {
    name: 'minimised',
    path: '/home',
    async show(scene) {
      await openComposer(scene, 'Half a thought, and what came after it')
      await press(scene.page.locator('dialog'), scene.t.compose.minimise)
    },
  },
  {
    name: 'reply',
    path: '/home',
    async show(scene) {
      await press(article(scene.page, FIRST), scene.t.statuses.reply)
      await scene.page.locator('.text-input').waitFor()
    },
  },
  {
    name: 'quote-offer',
    path: '/home',
    async show(scene) {
      const area = await openComposer(scene, 'Look: ')
      const link = await article(scene.page, FIRST).locator('.status-time a').last().getAttribute('href')
      await pasteText(area, new URL(link ?? '', scene.page.url()).href)
      await scene.page.locator('.quote-offer').waitFor()
    },
  },
  {
    name: 'drafts',
    path: '/drafts',
    async show(scene) {
      const { page } = scene
      await settle(scene)
      if (await page.locator('.draft-row').count()) return
      await page.goto(new URL('/publish', page.url()).href)
      await page.locator('.text-input').fill('Something that is not finished yet, '.repeat(8))
      await page.waitForTimeout(1500)
      await page.goto(new URL('/drafts', page.url()).href)
      await page.locator('.draft-row').first().waitFor()
    },
  },
]
