// How long each test file took when it last ran here. Only used to divide the files evenly over processes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './runtime.js'

const FILE = join(root, 'node_modules/.cache/test-seconds.json')

/** @returns {Record<string, number>} seconds by file */
export function readSeconds() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'))
  } catch {
    return {}
  }
}

/** Keeps the measurements of other files. @param {Map<string, number>} measured */
export function saveSeconds(measured) {
  mkdirSync(dirname(FILE), { recursive: true })
  writeFileSync(FILE, JSON.stringify({ ...readSeconds(), ...Object.fromEntries(measured) }))
}
