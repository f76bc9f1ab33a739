import { invalidField } from '../../lib/errors.ts'

/** The point of an image to keep in view when it is cropped: -1 (left, bottom) to 1 (right, top). */
export type Focus = { x: number; y: number }

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?`
const PAIR = new RegExp(String.raw`^\s*(${NUMBER})\s*,\s*(${NUMBER})\s*$`, 'i')

/** Reads "x,y"; values beyond the edge are the edge. Nothing sent is null. Throws Invalid for anything else. */
export function parseFocus(text: string | undefined): Focus | null {
  if (text === undefined || text.trim() === '') return null
  const match = PAIR.exec(text)
  if (!match) throw invalidField('focus', 'invalid')
  const within = (value: string | undefined): number => Math.min(1, Math.max(-1, Number(value)))
  return { x: within(match[1]), y: within(match[2]) }
}
