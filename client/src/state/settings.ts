// Appearance and behaviour of the client on this device. The settings page has a row for each.
import { effect, signal, type Signal } from '@preact/signals'
import { accountId } from '../api/session.ts'
import { readItem, writeItem } from './web-storage.ts'

const KEY = 'rookery.settings'
/** What belongs to the account: other accounts on this device have their own. */
const OWN_KEY = `${KEY}.${accountId}`

export type ClientSettings = {
  theme: 'system' | 'light' | 'dark'
  contrast: 'normal' | 'high'
  /** `indigo` is the server's own. */
  accent: 'indigo' | 'blue' | 'teal' | 'copper' | 'pink' | 'graphite'
  density: 'comfortable' | 'compact'
  /** A percentage of the browser's font size. */
  fontSize: number
  motion: 'system' | 'reduced'
  /** Whether animated images and videos play by themselves. */
  autoplay: boolean
  media: 'default' | 'show_all' | 'hide_all'
  confirmBoost: boolean
  confirmDelete: boolean
  confirmUnfollow: boolean
  requireAltText: boolean
  /** Of the home timeline. */
  hideBoosts: boolean
  hideReplies: boolean
  hideQuotes: boolean
  /** In the home timeline and lists. */
  groupBoosts: boolean
  /** The counts of boosts, favourites, followers and so on. */
  hideCounts: boolean
  hidesFirstSteps: boolean
  /** Beside the screen, where there is room. */
  sidePanel: boolean
  /** Paths of the columns of the deck. */
  columns: string[]
  /** Further screens in the navigation. */
  shortcuts: Shortcut[]
}

export type Shortcut = { path: string; label: string }

const DEFAULTS: ClientSettings = {
  theme: 'system',
  contrast: 'normal',
  accent: 'indigo',
  density: 'comfortable',
  fontSize: 100,
  motion: 'system',
  autoplay: false,
  media: 'default',
  confirmBoost: false,
  confirmDelete: true,
  confirmUnfollow: true,
  requireAltText: false,
  hideBoosts: false,
  hideReplies: false,
  hideQuotes: false,
  hideCounts: false,
  groupBoosts: true,
  hidesFirstSteps: false,
  sidePanel: true,
  columns: ['/home', '/notifications', '/public/local'],
  shortcuts: [],
}

/** More columns cost connections and memory, and no reader follows so many. */
export const MOST_COLUMNS = 12
export const MOST_SHORTCUTS = 8

/** Read before the first paint, so it is in localStorage. */
export const settings: Signal<ClientSettings> = signal(stored())

function stored(): ClientSettings {
  return { ...DEFAULTS, ...readKey(KEY), ...readKey(OWN_KEY) }
}

function readKey(key: string): Partial<ClientSettings> {
  try {
    return JSON.parse(readItem(key) ?? '{}') as Partial<ClientSettings>
  } catch {
    return {}
  }
}

export function changeSettings(change: Partial<ClientSettings>): void {
  settings.value = { ...settings.value, ...change }
  const { columns, shortcuts, hidesFirstSteps, ...shared } = settings.value
  writeItem(KEY, JSON.stringify(shared))
  writeItem(OWN_KEY, JSON.stringify({ columns, shortcuts, hidesFirstSteps }))
}

/** A column shows another address. */
export function replaceColumn(path: string, by: string): void {
  const columns = settings.value.columns.map((each) => (each === path ? by : each))
  changeSettings({ columns: [...new Set(columns)] })
}

addEventListener('storage', ({ key }) => {
  if (key === KEY || key === OWN_KEY) settings.value = stored()
})

/** The stylesheets read these attributes. */
effect(() => {
  const { theme, contrast, accent, density, fontSize, motion } = settings.value
  const { dataset, style } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  dataset.contrast = matchMedia('(prefers-contrast: more)').matches ? 'high' : contrast
  if (accent === DEFAULTS.accent) delete dataset.accent
  else dataset.accent = accent
  dataset.density = density
  dataset.motion = motion
  style.fontSize = `${fontSize}%`
  showThemeColor(theme)
  // The server writes the theme into the shell, so that the first paint has its colours.
  const secure = location.protocol === 'https:' ? '; secure' : ''
  const [value, age] = theme === 'system' ? ['', 0] : [theme, 31_536_000]
  document.cookie = `rookery_theme=${value}; path=/; max-age=${age}; samesite=lax${secure}`
})

/** The browser's own bars follow: the server sends a colour for each theme. */
function showThemeColor(theme: ClientSettings['theme']): void {
  const tags = document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')
  for (const tag of tags) {
    const own = tag.dataset.for
    tag.media = theme === 'system' ? `(prefers-color-scheme: ${own})` : theme === own ? 'all' : 'not all'
  }
  document
    .querySelector<HTMLMetaElement>('meta[name="color-scheme"]')
    ?.setAttribute('content', theme === 'system' ? 'light dark' : theme)
}
