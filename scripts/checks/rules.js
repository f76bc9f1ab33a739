// Where code may enqueue jobs, write with SQL, send requests, read the environment, or decide visibility.
import { partOf } from './imports.js'

/** @typedef {{ pattern: RegExp, allowed: (file: string) => boolean, problem: string }} Rule */

/** @param {...string} parts @returns {(file: string) => boolean} */
const within =
  (...parts) =>
  (file) =>
    parts.includes(partOf(file)) || parts.includes(file)

/** @type {Rule[]} */
const RULES = [
  {
    pattern: /\.(enqueue|enqueueMany|publish)\(/,
    allowed: within('actions', 'worker', 'federation', 'context.ts', 'jobs', 'bus'),
    problem: 'jobs are enqueued and messages published in actions/, worker/ and federation/ only',
  },
  {
    pattern: /\bprocess\.env\b|\benv\b.* from 'node:process'/,
    allowed: within('config.ts'),
    problem: 'process.env is read in config.ts only',
  },
  {
    pattern: /(?<![.\w])fetch\(|\bglobalThis\.fetch\b|from 'undici'|\bhttps?\.(request|get)\(|from 'node:https'/,
    allowed: within('net', 'html/scripts/embed.js'),
    problem: 'outgoing requests go through net/ only: use ctx.fetch',
  },
  {
    pattern: /sql`[^`]*\b(insert into|delete from|update \w+ set)\b/i,
    allowed: (file) => !within('entities', 'federation')(file),
    problem: 'entities/ and federation/ only select',
  },
  {
    pattern: /\bselect (\w+\.)?\*\s+from\s+(?!unnest|\()\w/i,
    allowed: () => false,
    problem: 'name the columns: no `select *`',
  },
  {
    pattern: /\breturning\s[^`)]*\b(old|new)\./i,
    allowed: () => false,
    problem: 'PostgreSQL before 18 does not return a row as it was: no `old.` and `new.`',
  },
  {
    pattern: /\b(from|join|into|update|using) (blocks|mutes|account_domain_blocks)\b/,
    allowed: (file) =>
      !/^(actions|domain|entities|federation)\//.test(file) || file.startsWith('domain/relationships/'),
    problem: 'only domain/relationships/ decides which accounts are hidden from each other',
  },
  {
    pattern: /\bvisibility in \(/,
    allowed: within('domain/statuses/visibility.ts'),
    problem: 'who may see a status is decided in domain/statuses/visibility.ts only',
  },
]

/**
 * All problems, as `file: problem`.
 * @param {Map<string, string>} sources code without comments, by path below src/; tests left out
 * @returns {string[]}
 */
export function checkRules(sources) {
  return [...sources].flatMap(([file, code]) =>
    RULES.filter(({ pattern, allowed }) => !allowed(file) && pattern.test(code)).map(
      ({ problem }) => `src/${file}: ${problem}`,
    ),
  )
}
