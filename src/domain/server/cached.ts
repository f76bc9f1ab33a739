import { perServer, type Context } from '../../context.ts'

/**
 * Keeps what `make` gives for so many seconds, or until settings change: for documents that everybody asks for and that need
 * not be new to the second. Who asks while it is being made gets the same.
 */
export function memoized<T>(seconds: number, make: (ctx: Context) => Promise<T>): (ctx: Context) => Promise<T> {
  const state = perServer((ctx) => {
    const known = { value: null as Promise<T> | null, until: 0 }
    ctx.subscribe((message) => {
      if (message.type === 'settings.changed') known.value = null
    })
    return known
  })
  return (ctx) => {
    const known = state(ctx)
    if (known.value && Date.now() < known.until) return known.value
    known.until = Date.now() + seconds * 1000
    const value = make(ctx).catch((error: unknown) => {
      if (known.value === value) known.value = null
      throw error
    })
    known.value = value
    return value
  }
}
