// The keys of the client: one record for each, which the help shows too. As in Mastodon's own web app.
import { tinykeys } from 'tinykeys'
import { isComposerAwaited, openComposer } from '../compose/open.ts'
import { findStatus } from '../state/statuses.ts'
import { identity } from '../state/me.ts'
import { bookmark, favourite, quote, reblog } from '../statuses/acts.ts'
import { statusPath } from '../statuses/links.ts'
import { isTranslatable, toggleTranslation } from '../statuses/translation.ts'
import { isDialogAwaited } from '../ui/lazy.tsx'
import { showNew } from '../ui/new-pill.tsx'
import type { Status } from '../api/entities.ts'
import type { ClientTexts } from '../../../src/messages/en/client/texts.ts'

export type ShortcutKey = keyof ClientTexts['appearance']['shortcuts']

type Acts = { go: (path: string) => void; back: () => void; showHelp: () => void; showPalette: () => void }

export type Shortcut = {
  text: ShortcutKey
  /** As tinykeys spells them; the help shows the first. */
  keys: readonly string[]
  /** Also while one types. */
  worksInFields?: boolean
  act: (acts: Acts, event: KeyboardEvent) => void
}

const forStatus =
  (act: (status: Status, acts: Acts) => void): Shortcut['act'] =>
  (acts) => {
    const status = findStatus(currentStatus()?.dataset.status ?? '')?.value
    if (status) act(status, acts)
  }

/** Presses a control of the focused status, so that the key does exactly what the control does. */
const press =
  (selector: string): Shortcut['act'] =>
  () =>
    currentStatus()?.querySelector<HTMLElement>(selector)?.click()

const goTo =
  (path: string): Shortcut['act'] =>
  ({ go }) =>
    location.pathname === path ? scrollTo({ top: 0 }) : go(path)

/** Focuses and selects the field of the search's screen, also where that is scrolled or has results. */
export function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#main .search-form input')
  field?.focus()
  field?.select()
}

export const SHORTCUTS: readonly Shortcut[] = [
  { text: 'next', keys: ['j', 'ArrowDown'], act: () => moveFocus(1) },
  { text: 'previous', keys: ['k', 'ArrowUp'], act: () => moveFocus(-1) },
  { text: 'open', keys: ['o', 'Enter'], act: openItem },
  { text: 'reply', keys: ['r'], act: press('.status-actions [data-tone=reply]') },
  { text: 'favourite', keys: ['f'], act: forStatus((status) => void favourite(status)) },
  { text: 'boost', keys: ['b'], act: forStatus((status) => void reblog(status)) },
  { text: 'quote', keys: ['q'], act: forStatus((status) => quote(status)) },
  { text: 'bookmark', keys: ['d'], act: forStatus((status) => void bookmark(status)) },
  { text: 'mention', keys: ['m'], act: forStatus(({ account }) => openComposer({ text: `@${account.acct} ` })) },
  { text: 'profile', keys: ['p'], act: forStatus(({ account }, { go }) => go(`/@${account.acct}`)) },
  { text: 'expand', keys: ['x'], act: press('.content-warning button, .read-more') },
  { text: 'media', keys: ['e'], act: press('.media-grid button, .media-grid a') },
  { text: 'hide_media', keys: ['h'], act: press('.media-cover button, .media-hide button') },
  {
    text: 'translate',
    keys: ['t'],
    act: forStatus((status) => {
      if (isTranslatable(status)) void toggleTranslation(status)
    }),
  },
  { text: 'show_new', keys: ['.'], act: showNew },
  { text: 'compose', keys: ['n', 'c'], act: () => openComposer() },
  {
    text: 'search',
    keys: ['/', 's'],
    act: ({ go }) => (location.pathname === '/search' ? focusSearch() : go('/search')),
  },
  {
    text: 'palette',
    // Layouts of other scripts have no k.
    keys: ['$mod+k', '$mod+KeyK'],
    worksInFields: true,
    act: ({ showPalette }) => showPalette(),
  },
  { text: 'column', keys: [...'123456789'], act: (_, { key }) => focusColumn(Number(key) - 1) },
  { text: 'home', keys: ['g h'], act: goTo('/home') },
  { text: 'notifications', keys: ['g n'], act: goTo('/notifications') },
  { text: 'local', keys: ['g l'], act: goTo('/public/local') },
  { text: 'federated', keys: ['g t'], act: goTo('/public') },
  { text: 'conversations', keys: ['g d'], act: goTo('/conversations') },
  { text: 'favourites', keys: ['g f'], act: goTo('/favourites') },
  { text: 'bookmarks', keys: ['g b'], act: goTo('/bookmarks') },
  { text: 'lists', keys: ['g i'], act: goTo('/lists') },
  { text: 'explore', keys: ['g e'], act: goTo('/explore') },
  { text: 'own_profile', keys: ['g u'], act: ({ go }) => go(`/@${identity.value?.me.acct ?? ''}`) },
  { text: 'back', keys: ['Backspace'], act: ({ back }) => back() },
  { text: 'help', keys: ['?', 'Shift+?'], act: ({ showHelp }) => showHelp() },
]

/** Returns the function that ends listening. */
export function listenForShortcuts(acts: Acts): () => void {
  const bound = new Map(SHORTCUTS.flatMap((shortcut) => shortcut.keys.map((key) => [key, shortcut] as const)))
  const keys = [...bound.keys()]
  const listen = (keyOf: (event: KeyboardEvent) => string) => (event: KeyboardEvent) =>
    run(event, bound.get(keyOf(event)), acts)
  // One binding for all sequences that begin with g. It precedes those of single keys, so that a second key does not act alone.
  const afterG = keys.filter((key) => key.startsWith('g ')).map((key) => key.slice(2))
  const single = keys.filter((key) => !key.includes(' ')).map((key) => [key, listen(() => key)])
  const bindings = { [`g (${afterG.join('|')})`]: listen(({ key }) => `g ${key.toLowerCase()}`) }
  const stop = tinykeys(window, { ...bindings, ...Object.fromEntries(single) }, { ignore })
  addEventListener('keydown', leaveToInputMethod, { capture: true })
  return () => {
    stop()
    removeEventListener('keydown', leaveToInputMethod, { capture: true })
  }
}

/**
 * Without this, an Enter or Escape that ends a word of Chinese, Japanese or Korean would also take a suggestion, or close a dialog. In
 * Safari, the word has ended when the event arrives, so its key code is checked.
 */
function leaveToInputMethod(event: KeyboardEvent): void {
  if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
}

/** Ignores the repeats of a key that is held down, unless it moves through a list. */
const ignore = ({ repeat, key }: KeyboardEvent): boolean => repeat && !['j', 'k', 'ArrowDown', 'ArrowUp'].includes(key)

/**
 * Fields, players, open dialogs, dialogs whose code is being loaded, and the media viewer receive keys first. Arrows scroll unless an item
 * has the focus.
 */
function run(event: KeyboardEvent, shortcut: Shortcut | undefined, acts: Acts): void {
  if (!shortcut || event.defaultPrevented || document.querySelector('dialog[open], .pswp')) return
  if (isDialogAwaited() || isComposerAwaited()) return
  const target = event.target as HTMLElement
  if (!shortcut.worksInFields && (hasModifier(event) || isForKeys(target))) return
  if (/^(Arrow|Enter$)/.test(event.key) && !target.matches(ITEM)) return
  event.preventDefault()
  shortcut.act(acts, event)
}

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => ctrlKey || metaKey || altKey

const isForKeys = (target: HTMLElement): boolean =>
  target.isContentEditable || target.closest('input, textarea, select, video, audio, [role=menu], dialog') !== null

/** The items through which keys move: statuses, and other entries of lists. */
const ITEM = '[data-status], [data-item]:not(:has([data-status]))'

const focused = (selector: string): HTMLElement | null => document.activeElement?.closest<HTMLElement>(selector) ?? null

/** On the screen of a status, keys act on that status until another one has the focus. */
const currentStatus = (): HTMLElement | null =>
  focused('[data-status]') ?? document.querySelector<HTMLElement>('#main .status-detail')

/** Opens the focused status. For another item, follows its last link, which leads to its subject, or presses it where it is a button. */
function openItem({ go }: Acts): void {
  const item = focused(ITEM)
  if (item?.matches('.status-detail')) return
  const status = findStatus(item?.dataset.status ?? '')?.value
  if (status) go(statusPath(status))
  else ([...(item?.querySelectorAll('a') ?? [])].at(-1) ?? item)?.click()
}

function moveFocus(step: 1 | -1): void {
  const item = focused(ITEM)
  const within = item?.closest('.deck-column') ?? document.querySelector('#main')
  const all = [...(within?.querySelectorAll<HTMLElement>(ITEM) ?? [])]
  if (item) return focusItem(all[all.indexOf(item) + step])
  const visible = Math.max(0, all.findIndex(isInView))
  focusItem(all[all[visible]?.matches('.status-detail') ? visible + step : visible])
}

const isInView = (element: HTMLElement): boolean => element.getBoundingClientRect().top >= 0

function focusItem(item: HTMLElement | undefined): void {
  item?.focus({ preventScroll: true })
  item?.scrollIntoView({ block: 'nearest' })
}

function focusColumn(index: number): void {
  const column = document.querySelectorAll<HTMLElement>('.deck-column')[index]
  column?.scrollIntoView({ inline: 'nearest' })
  focusItem([...(column?.querySelectorAll<HTMLElement>(ITEM) ?? [])].find(isInView))
}
