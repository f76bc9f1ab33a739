const EMOJI = /^\p{RGI_Emoji}$/v
const VARIATION = '\uFE0F'

/**
 * The fully qualified form of one Unicode emoji, also if it lacks variation selectors, as keyboards may leave them out. Null for
 * other text.
 */
export function unicodeEmoji(text: string): string | null {
  // The longest emoji, a sequence of people with skin tones, has 15.
  if (text.length > 40) return null
  if (EMOJI.test(text)) return text
  const points = [...text.replaceAll(VARIATION, '')]
  const candidates = points.map((_, i) => [...points.slice(0, i + 1), VARIATION, ...points.slice(i + 1)].join(''))
  return candidates.find((candidate) => EMOJI.test(candidate)) ?? (EMOJI.test(points.join('')) ? points.join('') : null)
}
