import Type, { type Static } from 'typebox'
import { nullable } from './schema.ts'

export const CustomEmoji = Type.Object(
  {
    shortcode: Type.String(),
    url: Type.String(),
    static_url: Type.String(),
    visible_in_picker: Type.Boolean(),
    category: nullable(Type.String()),
    featured: Type.Optional(Type.Boolean()),
  },
  { $id: 'CustomEmoji' },
)
export type CustomEmoji = Static<typeof CustomEmoji>
