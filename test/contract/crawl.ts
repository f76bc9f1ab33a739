// Compares a running, populated server with the API contract next to this checkout: which operations exist, and what every
// GET answers. `.ci/run` runs it where the contract is available; by hand: `node scripts/run.js test/contract/crawl.ts`.
import { saveSettings } from '../../src/actions/server/settings.ts'
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { seed } from '../../bench/seed/seed.ts'
import { moderatedServer } from '../support/moderated-server.ts'
import { startTestServer } from '../support/server.ts'
import { populate } from './populate.ts'

// The checker compares its path with the one it was started by: links must be resolved.
const check = realpathSync(fileURLToPath(new URL('../../../shared/contract/check.mjs', import.meta.url)))

/** Members that no table names, but that Mastodon sends, and that its app for Android requires. */
const ADDED = ['Profile.featured_tags: in no table']

/** Whether a line of the crawl names more than these. */
const isProblem = (line: string): boolean =>
  line.startsWith('GET ') &&
  line
    .slice(line.indexOf(': ') + 2)
    .split('; ')
    .some((problem) => !ADDED.includes(problem))

/** Runs the checker of the contract, and returns the lines that it prints. */
function run(...args: string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [check, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.on('error', reject)
    child.on('exit', () =>
      text ? resolve(text.trimEnd().split('\n')) : reject(new Error('the checker printed nothing')),
    )
  })
}

// One that really stops: a server of the pool would keep this process.
const server = await startTestServer({}, { fresh: true })
try {
  await seed(server.ctx, { accounts: 25, statuses: 200, seed: 7, progress: () => {} })
  const me = await populate(server)
  const { owner } = await moderatedServer(server)
  await saveSettings(server.ctx, { site_extended_description: 'A server for tests.' })
  const lacking = (await run('coverage', server.url)).filter((line) => line.includes('lacks'))
  const differing = await run('crawl', server.url, '--token', me.token, '--admin', owner.token, '--strict')
  for (const line of [...lacking, ...differing]) console.log(line)
  const problems = lacking.length + differing.filter(isProblem).length
  console.log(problems === 0 ? 'The contract holds.' : `${problems} differences from the contract.`)
  process.exitCode = problems === 0 ? 0 : 1
} finally {
  await server.stop()
}
