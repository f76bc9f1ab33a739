import { createRequire } from 'node:module'
import { once } from './concurrency.ts'

const require = createRequire(import.meta.url)

/** Loads a library on first use: a start needs few of them, and each takes time and memory. The caller states its type. */
export const lazyRequire = <Library>(name: string): (() => Library) => once(() => require(name) as Library)
