// GET /api/v1/instance/translation_languages: what can be translated into what.
import Type from 'typebox'
import { translationLanguages } from '../../domain/statuses/translation/backend.ts'
import { route } from '../../http/route.ts'

export const translationPairs = route({
  summary: 'Into which languages posts of each language can be translated; empty where nothing is translated',
  auth: 'public',
  cacheable: true,
  returns: Type.Record(Type.String(), Type.Array(Type.String())),
  handle: ({ ctx }) => translationLanguages(ctx),
})
