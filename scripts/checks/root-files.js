// The files that may stand at the root of the repository, as tools and readers look for them there.
import { spawnSync } from 'node:child_process'

const EXPECTED = new Set([
  '.dockerignore',
  '.gitignore',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'Dockerfile',
  'FEDERATION.md',
  'LICENSE',
  'README.md',
  'compose.yaml',
  'knip.json',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
])

/** Other files at the root, such as the output of a tool that was committed by mistake. @param {string[]} files @returns {string[]} */
export function checkRootFiles(files) {
  return files
    .filter((file) => !file.includes('/') && !EXPECTED.has(file))
    .map((file) => `${file}: not a file of the root; scripts/checks/root-files.js lists those`)
}

/** The committed files. An archive of the source has no list of them. @param {string} root @returns {string[]} */
export function committedFiles(root) {
  const list = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  return list.status === 0 ? list.stdout.split('\n').filter(Boolean) : []
}
