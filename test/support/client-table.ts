import { readFile } from 'node:fs/promises'

/** The paths of the screens of the web client, from its own table. */
export async function clientScreens(): Promise<string[]> {
  const table = await readFile(new URL('../../client/src/app/screens.tsx', import.meta.url), 'utf8')
  return [...table.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path)
}
