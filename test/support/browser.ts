// A real browser for tests, from npm alone: no system packages, no downloads, also as root.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { once } from '../../src/lib/concurrency.ts'

const packageDir = fileURLToPath(new URL('..', import.meta.resolve('@sparticuz/chromium')))
const cacheDir = join(packageDir, '../../.cache')

/** Milliseconds for each step, on a slow machine that is busy with other tests. */
const PATIENCE = 90_000

/** The headless Chromium of this process, which ends with it. Tests close their contexts. */
export const sharedBrowser = once(launchBrowser)

/** Starts a headless Chromium. The first call after an installation unpacks it (a few seconds). Close it when done. */
export async function launchBrowser(): Promise<Browser> {
  const home = await unpackedBrowser()
  const browser = await chromium.launch({
    executablePath: join(home, 'chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-webgl', '--font-render-hinting=none'],
    timeout: PATIENCE,
    env: {
      ...process.env,
      // Libraries such as libnss3, which servers often lack, come with the package.
      LD_LIBRARY_PATH: [join(home, 'al2023/lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':'),
      FONTCONFIG_FILE: join(home, 'fonts.conf'),
    },
  })
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE))
  return browser
}

/** The folder of the unpacked browser. Several test processes may call it at once: the folder is renamed when complete. */
async function unpackedBrowser(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string }
  const home = join(cacheDir, `chromium-${version}`)
  if (existsSync(home)) return home
  await mkdir(cacheDir, { recursive: true })
  const staging = await mkdtemp(join(cacheDir, 'unpacking-'))
  try {
    await unpackInto(staging)
    await writeFile(join(staging, 'fonts.conf'), fontsConf(home))
    await rename(staging, home)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
  return home
}

// The package unpacks into the temporary folder of its process, so it runs in a process with its own.
async function unpackInto(folder: string): Promise<void> {
  const script = `
    import chromium, { inflate } from '@sparticuz/chromium'
    await chromium.executablePath()
    await inflate(${JSON.stringify(join(packageDir, 'bin/al2023.tar.br'))})`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    env: { ...process.env, TMPDIR: folder },
  })
}

// The fonts of the system and of the package, without which Chromium would not start on a system without fonts.
function fontsConf(home: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(home, 'fonts/fonts')}</dir>
  <cachedir>${join(home, 'fonts-cache')}</cachedir>
</fontconfig>
`
}
