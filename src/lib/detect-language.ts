import { loadDetector, type Detector } from './language-tables.ts'

/** The minimum lead of the best guess: below it, chance decides between languages such as Danish and Norwegian. */
const MARGIN = 0.02

let detector: Detector | undefined
let loading: Promise<Detector> | undefined

const load = (): Promise<Detector> =>
  (loading ??= loadDetector().then(
    (loaded) => (detector = loaded),
    (error: unknown) => {
      loading = undefined
      throw error
    },
  ))

/**
 * Returns a code such as `en`; null when the language is uncertain. Takes a tenth of a millisecond, as only the first 350 bytes
 * count. The tables of languages are loaded on first use.
 */
export const detectLanguage = async (text: string): Promise<string | null> => detectWith(await load(), text)

/** As detectLanguage; undefined while the tables are loaded. */
export function detectLanguageNow(text: string): string | null | undefined {
  if (detector) return detectWith(detector, text)
  // A job detects the language then, and reports the error.
  load().catch(() => undefined)
  return undefined
}

function detectWith(loaded: Detector, text: string): string | null {
  const result = loaded.detect(text)
  const [best = 0, next = 0] = Object.values(result.getScores()).toSorted((a, b) => b - a)
  return result.language !== '' && result.isReliable() && best - next >= MARGIN ? result.language : null
}
