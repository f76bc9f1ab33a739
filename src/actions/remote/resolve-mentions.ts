import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import type { Visibility } from '../../db/schema.ts'
import { parseOurUrl } from '../../domain/server/addresses.ts'
import { findAccountsByAddress, localAddresses, mentionUris } from '../../domain/statuses/mentions.ts'
import { resolveActor } from './resolve-account.ts'

/** How many unknown accounts are resolved for one post, how many at once, and for how many milliseconds. */
const MAX_RESOLVED = 20
const CONCURRENCY = 5
const MAX_MS = 20_000

/**
 * The accounts that a remote post mentions: those that its tags name (unknown ones are resolved with `resolveMentions`). Private and direct
 * posts also mention the local accounts that they are addressed to, which could not read them otherwise. Never call it in a transaction.
 */
export async function findRemoteMentions(
  ctx: Context,
  note: Note,
  visibility: Visibility,
  options: { resolveMentions?: boolean },
): Promise<string[]> {
  const uris = mentionUris(note)
  const known = await findAccountsByAddress(ctx, uris)
  const unknown = uris.filter((uri) => !known.has(uri) && parseOurUrl(ctx, uri) === null).slice(0, MAX_RESOLVED)
  const resolved = options.resolveMentions ? await resolveAll(ctx, unknown) : []
  const forFew = visibility === 'private' || visibility === 'direct'
  const addressed = forFew
    ? await findAccountsByAddress(ctx, localAddresses(ctx, [...note.to, ...note.cc]))
    : new Map<string, string>()
  return [...new Set([...known.values(), ...resolved, ...addressed.values()])]
}

/** Resolves actors, a few at once, until the time is up. Those not resolved by then are left out. */
async function resolveAll(ctx: Context, uris: readonly string[]): Promise<string[]> {
  const resolved: string[] = []
  const queue = [...uris]
  const end = Date.now() + MAX_MS
  const worker = async (): Promise<void> => {
    for (let uri = queue.shift(); uri !== undefined && Date.now() < end; uri = queue.shift()) {
      const account = await resolveActor(ctx, uri)
      if (account && account.suspended_at === null) resolved.push(account.id)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return resolved
}
