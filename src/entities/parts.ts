import { LRUCache } from 'lru-cache'
import { perServer } from '../context.ts'
import { extendJson, jsonArray, jsonObject, type JsonText, toCacheableJson } from '../lib/json.ts'

/** JSON text for responses of the API, values for pages. */
export type Form = 'json' | 'value'

export type Part = JsonText | object

type Members = Readonly<Record<string, unknown>>

export const cacheablePart = (form: Form, members: Members): Part =>
  form === 'json' ? toCacheableJson(members) : members

/** Some members may be parts themselves. */
export const objectPart = (form: Form, members: Members): Part => (form === 'json' ? jsonObject(members) : members)

export const listPart = (form: Form, items: readonly Part[]): Part =>
  form === 'json' ? jsonArray(items as JsonText[]) : items

export const extendPart = (part: Part, members: Members): Part =>
  Buffer.isBuffer(part) ? extendJson(part, members) : { ...part, ...members }

/** Only pages use values, and they show few entities. */
const MAX_VALUES = 2000

/**
 * Caches of parts by id, one for each form. A part is valid for exactly the row version (`xmin`) that it was made from. A
 * change of settings drops all parts, as their addresses may change.
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

/** In bytes, with an allowance for the entry itself. */
const sizeOf = ({ part, text = '' }: { part: Part; text?: string }): number =>
  (Buffer.isBuffer(part) ? part.length : 0) + text.length + 200
