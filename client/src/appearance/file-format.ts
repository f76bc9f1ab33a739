// The settings of this device as a file. A file that is imported may contain anything.
import { type Draft, type DraftPost, QUOTE_POLICIES } from '../compose/draft.ts'
import { MOST_COLUMNS, MOST_SHORTCUTS, type ClientSettings, type Shortcut } from '../state/settings.ts'
import { VISIBILITIES } from '../statuses/visibility.tsx'
import { texts } from '../texts.ts'
import { CHOICE_NAMES, CHOICES, FONT_SIZES, SWITCHES } from './choices.ts'

const FORMAT = 'rookery-settings'
const VERSION = 1

/** Bytes. */
export const LARGEST_FILE = 2_000_000
const MOST_DRAFTS = 200
const MOST_POSTS = 50
const LONGEST_TEXT = 100_000
const LONGEST_PATH = 2000
const LONGEST_LABEL = 500
const MOST_OPTIONS = 50

/** A draft without its attachments. Posts that it answers or quotes are named by their ids. */
export type DraftInFile = Pick<Draft, 'visibility' | 'quotePolicy' | 'language' | 'changedAt'> & {
  posts: Pick<DraftPost, 'text' | 'warning' | 'sensitive' | 'poll'>[]
  inReplyTo: string | null
  quote: string | null
}

type FileContent = { account: string; exportedAt: string; settings: Partial<ClientSettings>; drafts: DraftInFile[] }

/** Why a file is refused, in words for people. */
export class RefusedFile extends Error {}

export function writeFile({ settings, ...rest }: FileContent): string {
  const { hidesFirstSteps: _hides, ...chosen } = settings
  return JSON.stringify({ format: FORMAT, version: VERSION, ...rest, settings: chosen }, null, 2)
}

/** Changes to drafts are for the post that they change, and stay here. */
export const draftsForFile = (drafts: readonly Draft[]): DraftInFile[] =>
  drafts
    .filter(({ edited }) => edited === null)
    .slice(0, MOST_DRAFTS)
    .map(({ visibility, quotePolicy, language, changedAt, posts, inReplyTo, quote }) => ({
      visibility,
      quotePolicy,
      language,
      changedAt,
      posts: posts.map(({ text, warning, sensitive, poll }) => ({ text, warning, sensitive, poll })),
      inReplyTo: inReplyTo?.id ?? null,
      quote: quote?.id ?? null,
    }))

/** Reads the known members, and leaves out the rest. Throws RefusedFile. */
export function readFile(text: string): FileContent {
  const { format, version, account, exportedAt, settings, drafts } = recordOf(parse(text))
  if (format !== FORMAT || typeof version !== 'number') throw new RefusedFile(texts.transfer.unknown)
  if (version > VERSION) throw new RefusedFile(texts.transfer.too_new)
  return {
    account: isText(account, 500) ? account : '',
    exportedAt: isText(exportedAt, 40) && !Number.isNaN(Date.parse(exportedAt)) ? exportedAt : '',
    settings: settingsOf(recordOf(settings)),
    drafts: listOf(drafts, MOST_DRAFTS).flatMap((draft) => draftOf(recordOf(draft)) ?? []),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RefusedFile(texts.transfer.unknown)
  }
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const listOf = (value: unknown, most: number): unknown[] => (Array.isArray(value) ? value.slice(0, most) : [])
const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most
const isOneOf = <T>(value: unknown, known: readonly T[]): value is T => known.some((each) => each === value)

function settingsOf(found: Record<string, unknown>): Partial<ClientSettings> {
  const choices = CHOICE_NAMES.filter((name) => isOneOf<unknown>(found[name], CHOICES[name]))
  const switches = SWITCHES.filter((name) => typeof found[name] === 'boolean')
  const columns = listOf(found['columns'], MOST_COLUMNS).filter(isPath)
  return {
    ...(Object.fromEntries([...choices, ...switches].map((name) => [name, found[name]])) as Partial<ClientSettings>),
    ...(isOneOf(found['fontSize'], FONT_SIZES) ? { fontSize: found['fontSize'] } : {}),
    ...(columns.length > 0 ? { columns: [...new Set(columns)] } : {}),
    ...(Array.isArray(found['shortcuts']) ? { shortcuts: shortcutsOf(found['shortcuts']) } : {}),
  }
}

/** The navigation has one entry for each path. */
function shortcutsOf(found: unknown): Shortcut[] {
  const labels = new Map<string, string>()
  for (const each of listOf(found, MOST_SHORTCUTS)) {
    const { path, label } = recordOf(each)
    if (isPath(path) && isText(label, LONGEST_LABEL)) labels.set(path, label)
  }
  return [...labels].map(([path, label]) => ({ path, label }))
}

/** An address within this server: two slashes at the beginning, also with a tab between them, would lead to another one. */
const isPath = (value: unknown): value is string =>
  isText(value, LONGEST_PATH) &&
  value.startsWith('/') &&
  URL.canParse(value, location.origin) &&
  new URL(value, location.origin).origin === location.origin

function draftOf(found: Record<string, unknown>): DraftInFile | null {
  const { visibility, quotePolicy, language, changedAt, inReplyTo, quote } = found
  const posts = listOf(found['posts'], MOST_POSTS).map((post) => postOf(recordOf(post)))
  if (posts.every(({ text, warning, poll }) => !text.trim() && !warning?.trim() && poll === null)) return null
  return {
    posts,
    // The narrowest one: what is unknown must not become public.
    visibility: isOneOf(visibility, VISIBILITIES) ? visibility : 'direct',
    quotePolicy: isOneOf(quotePolicy, QUOTE_POLICIES) ? quotePolicy : 'nobody',
    language: isText(language, 20) ? language : null,
    changedAt:
      typeof changedAt === 'number' && Number.isFinite(changedAt) ? Math.min(changedAt, Date.now()) : Date.now(),
    inReplyTo: idOf(inReplyTo),
    quote: idOf(quote),
  }
}

const idOf = (value: unknown): string | null => (typeof value === 'string' && /^\d{1,18}$/.test(value) ? value : null)

function postOf({ text, warning, sensitive, poll }: Record<string, unknown>): DraftInFile['posts'][number] {
  return {
    text: isText(text, LONGEST_TEXT) ? text : '',
    warning: isText(warning, LONGEST_TEXT) ? warning : null,
    sensitive: sensitive === true,
    poll: typeof poll === 'object' && poll !== null ? pollOf(recordOf(poll)) : null,
  }
}

function pollOf({ options, expiresIn, multiple, hideTotals }: Record<string, unknown>): DraftPost['poll'] {
  return {
    options: listOf(options, MOST_OPTIONS).map((option) => (isText(option, LONGEST_TEXT) ? option : '')),
    expiresIn: Number.isSafeInteger(expiresIn) ? Number(expiresIn) : 86_400,
    multiple: multiple === true,
    hideTotals: hideTotals === true,
  }
}
