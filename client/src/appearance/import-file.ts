// The changes that an imported file makes on this device.
import { draftOf, emptyPost, type Draft } from '../compose/draft.ts'
import { removeDraft, storeDraft, storedDrafts } from '../compose/store.ts'
import { identity } from '../state/me.ts'
import { settings, type ClientSettings } from '../state/settings.ts'
import { loadStatuses } from '../statuses/load-statuses.ts'
import { applySettings } from './choices.ts'
import type { DraftInFile } from './file-format.ts'

/** The settings that differ from the present ones. */
export function changesIn(found: Partial<ClientSettings>): Partial<ClientSettings> {
  const changed = Object.entries(found).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(settings.value[name as keyof ClientSettings]),
  )
  return Object.fromEntries(changed) as Partial<ClientSettings>
}

/** The drafts that are not on this device yet. */
export const newDraftsIn = (drafts: readonly DraftInFile[]): DraftInFile[] => {
  const known = new Set(storedDrafts.value.map(textsOf))
  return drafts.filter((draft) => !known.has(textsOf(draft)))
}

const textsOf = ({ posts }: Draft | DraftInFile): string =>
  JSON.stringify(posts.map(({ text, warning, poll }) => [text, warning, poll?.options]))

/** Returns the function that undoes it. Throws ApiError; nothing has changed then. */
export async function applyFile(changes: Partial<ClientSettings>, drafts: readonly DraftInFile[]): Promise<() => void> {
  const added = await draftsOf(drafts)
  const before = Object.fromEntries(
    Object.keys(changes).map((name) => [name, settings.value[name as keyof ClientSettings]]),
  ) as Partial<ClientSettings>
  applySettings(changes)
  for (const draft of added) await storeDraft(draft)
  return () => {
    applySettings(before)
    for (const draft of added) void removeDraft(draft)
  }
}

async function draftsOf(drafts: readonly DraftInFile[]): Promise<Draft[]> {
  const author = identity.value
  if (!author) return []
  const ids = drafts.flatMap(({ inReplyTo, quote }) => [inReplyTo, quote]).filter((id) => id !== null)
  const found = await loadStatuses([...new Set(ids)])
  const statuses = new Map(found.map((status) => [status.id, status]))
  return drafts.map(({ posts, inReplyTo, quote, ...rest }) => ({
    ...draftOf({}, author),
    ...rest,
    posts: posts.map((post) => ({ ...emptyPost(), ...post })),
    inReplyTo: statuses.get(inReplyTo ?? '') ?? null,
    quote: statuses.get(quote ?? '') ?? null,
  }))
}
