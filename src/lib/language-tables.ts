// The tables of eld, without its module that holds them: as a literal with an object for each n-gram, they take 150 MB and
// seconds to load. As text, they take 6 MB.
import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'

/** Scores by the number of a language. */
type Scores = Record<number, number>

type Tables = { type: string; languages: Record<string, string>; ngrams: Record<string, Scores> }

export type Detector = {
  detect(text: string): { language: string; isReliable(): boolean; getScores(): Record<string, number> }
}

type Library = { createEld(): { instance: Detector; loadData(tables: Tables): void } }

/** Names are quoted where JavaScript needs it. */
const KEY = /(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^'":{},]+)):\{/gy
const [DIGIT_0, DIGIT_9, COLON, COMMA, CLOSING_BRACE] = [48, 57, 58, 44, 125]
/** N-grams whose scores are memoized: a few thousand make up most texts. */
const MAX_KNOWN = 8000
/** Milliseconds that loading may hold up other work at a time. */
const SLICE_MS = 5
const LANGUAGE = /(\d{1,4}):'([\w-]{1,12})'/g

/** Takes some tenths of a second, in small steps. Throws Error when the library has another form. */
export async function loadDetector(): Promise<Detector> {
  const entry = import.meta.resolve('eld/small')
  const { createEld } = (await import(new URL('../languageDetector.js', entry).href)) as Library
  const { instance, loadData } = createEld()
  loadData(await tablesIn(await readFile(new URL('../ngrams/small.js', entry), 'utf8')))
  return instance
}

/** `source`: of the module, `… {type:'S60',languages:{0:'am',…},ngrams:{'ab':{0:12,5:3},…}}`. */
async function tablesIn(source: string): Promise<Tables> {
  const type = between(source, "{type:'", "'")
  const languages = between(source, 'languages:{', '}')
  const start = source.indexOf('ngrams:{') + 'ngrams:{'.length
  if (type === undefined || languages === undefined) throw new Error('the tables of eld have another form')
  const positions = await positionsIn(source, start)
  const known = new Map<string, Scores | undefined>()
  const scoresOf = (ngram: string): Scores | undefined => {
    if (known.has(ngram)) return known.get(ngram)
    const at = positions.get(ngram)
    const scores = at === undefined ? undefined : scoresAt(source, at)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(ngram, scores)
    return scores
  }
  return {
    type,
    languages: Object.fromEntries([...languages.matchAll(LANGUAGE)].map(([, number, code]) => [number, code])),
    ngrams: new Proxy({}, { get: (_target, ngram) => (typeof ngram === 'string' ? scoresOf(ngram) : undefined) }),
  }
}

/** Undefined where `before` is missing. */
function between(source: string, before: string, after: string): string | undefined {
  const start = source.indexOf(before)
  return start < 0 ? undefined : source.slice(start + before.length, source.indexOf(after, start + before.length))
}

/** Where the scores of each n-gram begin. */
async function positionsIn(source: string, start: number): Promise<Map<string, number>> {
  const positions = new Map<string, number>()
  let began = performance.now()
  KEY.lastIndex = start
  for (let match = KEY.exec(source); match !== null; match = KEY.exec(source)) {
    const key = match[1] ?? match[2] ?? match[3] ?? ''
    positions.set(key.replace(/\\(.)/g, '$1'), KEY.lastIndex)
    const end = source.indexOf('}', KEY.lastIndex)
    if (source[end + 1] !== ',') {
      if (source.startsWith('}}', end + 1)) return positions
      break
    }
    if (performance.now() - began > SLICE_MS) {
      await setImmediate()
      began = performance.now()
    }
    KEY.lastIndex = end + 2
  }
  throw new Error('the tables of eld have another form')
}

/** `at`: of the first digit, such as in `0:12,5:3}`. */
function scoresAt(source: string, at: number): Scores {
  const scores: Scores = {}
  let number = 0
  let language = 0
  for (let i = at; ; i++) {
    const code = source.charCodeAt(i)
    if (code === COLON) language = number
    else if (code >= DIGIT_0 && code <= DIGIT_9) number = number * 10 + code - DIGIT_0
    else scores[language] = number
    if (code === CLOSING_BRACE) return scores
    if (code === COLON || code === COMMA) number = 0
  }
}
