import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { assets, stylesheetPath } from './assets.ts'

const stylesheet = String(assets.get(stylesheetPath)?.body)

test('the path of the stylesheet contains its hash, and every asset has a type and an ETag', () => {
  assert.match(stylesheetPath, /^\/assets\/style\.[0-9a-f]{16}\.css$/)
  assert.equal(assets.get(stylesheetPath)?.immutable, true)
  assert.equal(assets.has('/assets/style.css'), false)
  for (const path of [
    '/assets/logo.svg',
    '/assets/icon.png',
    '/assets/avatar.png',
    '/assets/header.png',
    '/favicon.ico',
  ]) {
    const asset = assets.get(path)
    assert.match(asset?.type ?? '', /^image\//)
    assert.match(asset?.etag ?? '', /^"[0-9a-f]{16}"$/)
    assert.equal(asset?.immutable, false)
  }
})

test('the default images have the documented sizes', async () => {
  const avatar = await sharp(assets.get('/assets/avatar.png')?.body).metadata()
  const header = await sharp(assets.get('/assets/header.png')?.body).metadata()
  assert.deepEqual([avatar.format, avatar.width, avatar.height], ['png', 400, 400])
  assert.deepEqual([header.format, header.width, header.height], ['png', 1500, 500])
})

test('the stylesheet loads nothing from other hosts', () => {
  assert.doesNotMatch(stylesheet, /@import|url\(|https?:/)
})

// The sanitiser keeps microformat classes in remote HTML, so the stylesheet must not use them.
test('remote HTML cannot use the classes of the stylesheet', () => {
  const classes = [...stylesheet.matchAll(/\.([a-z][\w-]*)/g)].map((match) => match[1] ?? '')
  assert.deepEqual(
    classes.filter((name) => /^(?:h|p|u|dt|e)-/.test(name)),
    [],
  )
})

test('colours have WCAG AA contrast in the light and the dark theme', () => {
  for (const palette of colours(stylesheet)) {
    for (const text of ['ink', 'muted', 'accent', 'accent-strong', 'danger']) {
      for (const ground of ['paper', 'surface', 'sunken']) assertContrast(palette, text, ground, 4.5)
    }
    const pairs = [
      ['on-accent', 'accent'],
      ['on-accent', 'accent-strong'],
      ['on-danger', 'danger'],
      ['on-danger', 'danger-strong'],
      ['danger', 'danger-wash'],
      ['good', 'good-wash'],
      ['warning', 'warning-wash'],
      ...['ink', 'muted', 'accent'].flatMap((text) =>
        ['accent-wash', 'danger-wash', 'good-wash', 'warning-wash'].map((ground) => [text, ground]),
      ),
    ]
    for (const [text = '', ground = ''] of pairs) assertContrast(palette, text, ground, 4.5)
    for (const ground of ['paper', 'surface']) {
      assertContrast(palette, 'line-strong', ground, 3)
      assertContrast(palette, 'twig', ground, 3)
    }
  }
})

test('every colour has a name, and one for each theme', () => {
  const [own = ''] = stylesheet.split('@supports not (color: light-dark(red, red))')
  const others = own.replaceAll(/light-dark\(.*?\)/g, '').match(/#[0-9a-f]{3,8}\b/g)
  assert.deepEqual([...new Set(others)], ['#fff'], 'paper in print')
})

test('browsers without light-dark() get the light colours', () => {
  const [light] = colours(stylesheet)
  const rules = /@supports not \(color: light-dark\(red, red\)\) \{([^}]*)\}/.exec(stylesheet)?.[1] ?? ''
  assert.ok(light.size > 10)
  for (const [name, colour] of light) assert.ok(rules.includes(`--${name}: #${colour};`), name)
})

type Palette = Map<string, string>

/** Of the light and of the dark theme. */
function colours(rules: string): [Palette, Palette] {
  const pairs = [...rules.matchAll(/--([\w-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\);/g)]
  return [
    new Map(pairs.map(([, name = '', light = '']) => [name, light])),
    new Map(pairs.map(([, name = '', , dark = '']) => [name, dark])),
  ]
}

function assertContrast(palette: Palette, text: string, ground: string, least: number): void {
  const [high = 0, low = 0] = [text, ground].map((name) => luminance(palette.get(name) ?? '')).toSorted((a, b) => b - a)
  const contrast = (high + 0.05) / (low + 0.05)
  assert.ok(contrast >= least, `${text} on ${ground}: ${contrast.toFixed(2)}`)
}

function luminance(hex: string): number {
  assert.match(hex, /^[0-9a-f]{6}$/)
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
