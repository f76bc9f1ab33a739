import Type from 'typebox'
import { Id } from './schema.ts'

const Poll = Type.Object(
  { id: Id, options: Type.Array(Type.Object({ title: Type.String() }, { $id: 'Translation_Poll_Option' })) },
  { $id: 'Translation_Poll' },
)
const Attachment = Type.Object({ id: Id, description: Type.String() }, { $id: 'Translation_Attachment' })

/** https://docs.joinmastodon.org/entities/Translation/ */
export const Translation = Type.Object(
  {
    content: Type.String(),
    spoiler_text: Type.String(),
    language: Type.String(),
    poll: Type.Optional(Poll),
    media_attachments: Type.Array(Attachment),
    detected_source_language: Type.String(),
    provider: Type.String(),
  },
  { $id: 'Translation' },
)
