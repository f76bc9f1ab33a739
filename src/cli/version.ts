import { MASTODON_VERSION, VERSION } from '../lib/version.ts'
import type { Command } from './command.ts'

/** rookery version: what this is. */
export const version: Command = {
  name: 'version',
  args: [],
  summary: 'Show the version',
  options: {},
  run: async () => ({
    text: `Rookery ${VERSION} (offers the API of Mastodon ${MASTODON_VERSION}; Node ${process.versions.node})`,
    json: { version: VERSION, mastodon: MASTODON_VERSION, node: process.versions.node },
  }),
}
