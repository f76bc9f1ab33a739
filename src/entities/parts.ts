import { type Context, perServer } from '../context.ts'
import type { ChangeKind } from '../db/changes.ts'
import { CoherentCache } from '../db/coherent-cache.ts'
import { extendJson, jsonArray, jsonObject, type JsonText, toCacheableJson } from '../lib/json.ts'

/** JSON text for responses of the API, values for pages. */
export type EntityFormat = 'json' | 'value'

export type Part = JsonText | object

type Members = Readonly<Record<string, unknown>>

export const cacheablePart = (format: EntityFormat, members: Members): Part =>
  format === 'json' ? toCacheableJson(members) : members

/** Some members may be parts themselves. */
export const objectPart = (format: EntityFormat, members: Members): Part =>
  format === 'json' ? jsonObject(members) : members

export const listPart = (format: EntityFormat, items: readonly Part[]): Part =>
  format === 'json' ? jsonArray(items as JsonText[]) : items

export const extendPart = (part: Part, members: Members): Part =>
  Buffer.isBuffer(part) ? extendJson(part, members) : { ...part, ...members }

/** Only pages use values, and they show few entities. */
const MAX_VALUES = 2000

/**
 * Caches of parts by id, one for each format, valid until the change log names the id under one of `kinds`. A change of settings
 * or emojis drops all parts, as their addresses may change.
 */
export function partCaches<T extends { part: Part; text?: string }>(
  kinds: readonly ChangeKind[],
  maxBytes: number,
): (ctx: Context) => Record<EntityFormat, CoherentCache<T>> {
  return perServer(({ changes }) => ({
    json: new CoherentCache<T>(changes, [...kinds, 'setting'], { maxSize: maxBytes, sizeCalculation: sizeOf }),
    value: new CoherentCache<T>(changes, [...kinds, 'setting'], { max: MAX_VALUES }),
  }))
}

/** In bytes, with an allowance for the entry itself. */
const sizeOf = ({ part, text = '' }: { part: Part; text?: string }): number =>
  (Buffer.isBuffer(part) ? part.length : 0) + text.length + 300
