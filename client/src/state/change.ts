import type { Signal } from '@preact/signals'

/** Returns a function that undoes only this change, not later ones. Does nothing for an entity that is unknown or gone. */
export function changeEntity<T extends object>(entity: Signal<T | null> | undefined, change: Partial<T>): () => void {
  const before = entity?.peek()
  if (!entity || !before) return () => {}
  entity.value = { ...before, ...change }
  const names = Object.keys(change) as (keyof T)[]
  return () => {
    const now = entity.peek()
    if (now) entity.value = { ...now, ...Object.fromEntries(names.map((name) => [name, before[name]])) }
  }
}
