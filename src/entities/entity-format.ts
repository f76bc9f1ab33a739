import { type Context, perServer } from '../context.ts'
import type { ChangeKind } from '../db/changes.ts'
import { CoherentCache } from '../db/coherent-cache.ts'
import { extendJson, jsonArray, jsonObject, type JsonText, toCacheableJson } from '../lib/json.ts'

/** JSON text for responses of the API, values for pages. */
export type EntityFormat = 'json' | 'value'

/** An entity, or a value in one. */
export type Presented = JsonText | object

type Members = Readonly<Record<string, unknown>>

export const presentCacheable = (format: EntityFormat, members: Members): Presented =>
  format === 'json' ? toCacheableJson(members) : members

/** Some members may be presented already. */
export const presentObject = (format: EntityFormat, members: Members): Presented =>
  format === 'json' ? jsonObject(members) : members

export const presentArray = (format: EntityFormat, items: readonly Presented[]): Presented =>
  format === 'json' ? jsonArray(items as JsonText[]) : items

export const extendPresented = (presented: Presented, members: Members): Presented =>
  Buffer.isBuffer(presented) ? extendJson(presented, members) : { ...presented, ...members }

/** Only pages use values, and they show few entities. */
const MAX_VALUES = 2000

/**
 * Caches by id, one for each format. An entry is valid until the change log names the id under one of `kinds`. A change of
 * settings or emojis drops all entries, as the addresses in them may change.
 */
export function presentedCaches<T extends { presented: Presented; text?: string }>(
  kinds: readonly ChangeKind[],
  maxBytes: number,
): (ctx: Context) => Record<EntityFormat, CoherentCache<T>> {
  return perServer(({ changes }) => ({
    json: new CoherentCache<T>(changes, [...kinds, 'setting'], { maxSize: maxBytes, sizeCalculation: sizeOf }),
    value: new CoherentCache<T>(changes, [...kinds, 'setting'], { max: MAX_VALUES }),
  }))
}

/** In bytes, with an allowance for the entry itself. */
const sizeOf = ({ presented, text = '' }: { presented: Presented; text?: string }): number =>
  (Buffer.isBuffer(presented) ? presented.length : 0) + text.length + 300
