// The same code as on the server, so that both count alike.
import { countCharacters } from '../../../src/lib/text/count.ts'
import type { DraftPost } from './draft.ts'

export const charactersOf = ({ text, warning }: Pick<DraftPost, 'text' | 'warning'>): number =>
  countCharacters(text.trim(), (warning ?? '').trim())
