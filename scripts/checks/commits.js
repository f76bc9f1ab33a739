// Checks that commit subjects have at most 72 characters, from the commit on that introduced this rule.
import { spawnSync } from 'node:child_process'

const LONGEST = 72
const SINCE = '2026-11-22T04:30:00Z'

/** @param {string} root @returns {string[]} */
export function checkCommits(root) {
  const log = spawnSync('git', ['log', `--since=${SINCE}`, '--no-merges', '--format=%h %s'], {
    cwd: root,
    encoding: 'utf8',
  })
  // An archive of the source has no history.
  if (log.status !== 0) return []
  return log.stdout
    .split('\n')
    .filter((line) => line.replace(/^\w+ /, '').length > LONGEST)
    .map((line) => `${line}: the subject is longer than ${LONGEST} characters`)
}
