// Builds the web client if it is not up to date, and fails when its first visit is too large. Prints the size either way.
import { measureFirstVisit } from './checks/client.js'
import { DIST, ensureClient } from './lib/client-build.js'

if (await ensureClient()) {
  const { ok, text } = measureFirstVisit(DIST)
  console.log(text)
  process.exitCode = ok ? 0 : 1
} else process.exitCode = 1
