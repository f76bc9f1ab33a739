import Type, { type Static } from 'typebox'
import type { ServerRule } from '../domain/server/rules.ts'
import { Id } from './schema.ts'

/** https://docs.joinmastodon.org/entities/Rule/ */
export const Rule = Type.Object(
  {
    id: Id,
    text: Type.String(),
    hint: Type.String(),
    translations: Type.Record(Type.String(), Type.Object({ text: Type.String(), hint: Type.String() })),
  },
  { $id: 'Rule' },
)

export const presentRule = ({ id, text, hint }: ServerRule): Static<typeof Rule> => ({
  id,
  text,
  hint,
  translations: {},
})
