import { LRUCache } from 'lru-cache'
import { perServer } from '../context.ts'
import { extendJson, jsonArray, jsonObject, type JsonText, toCacheableJson } from '../lib/json.ts'

/** How entities are presented: as JSON text in responses of the API, as values on pages. */
export type Form = 'json' | 'value'

/** An entity, or a part of one, in either form. */
export type Part = JsonText | object

type Members = Readonly<Record<string, unknown>>

/** A part for a cache. */
export const cacheablePart = (form: Form, members: Members): Part =>
  form === 'json' ? toCacheableJson(members) : members

/** An object with members of which some may be parts themselves. */
export const objectPart = (form: Form, members: Members): Part => (form === 'json' ? jsonObject(members) : members)

export const listPart = (form: Form, items: readonly Part[]): Part =>
  form === 'json' ? jsonArray(items as JsonText[]) : items

/** `part` with further members. */
export const extendPart = (part: Part, members: Members): Part =>
  Buffer.isBuffer(part) ? extendJson(part, members) : { ...part, ...members }

/** Values are cached for pages only, which show few entities. */
const MAX_VALUES = 2000

/**
 * Caches of parts by id, one for each form. A part is valid for exactly the row version (`xmin`) that it was made from. All are
 * dropped when settings change, as the addresses in them may.
 */
export function partCache<T extends { version: string; part: Part }>({
  max,
  maxBytes,
}: {
  max: number
  maxBytes: number
}) {
  return perServer((ctx) => {
    const json = new LRUCache<string, T>({ max, maxSize: maxBytes, sizeCalculation: sizeOf })
    const value = new LRUCache<string, T>({ max: MAX_VALUES })
    ctx.subscribe((message) => {
      if (message.type !== 'settings.changed') return
      json.clear()
      value.clear()
    })
    return { json, value } satisfies Record<Form, LRUCache<string, T>>
  })
}

/** Bytes, with an allowance for the entry itself. */
const sizeOf = ({ part, text = '' }: { part: Part; text?: string }): number =>
  (Buffer.isBuffer(part) ? part.length : 0) + text.length + 200
