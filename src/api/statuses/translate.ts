// POST /api/v1/statuses/:id/translate: a public post in another language.
import Type from 'typebox'
import { getTargetStatus } from '../../domain/statuses/visibility.ts'
import { translateStatus } from '../../domain/statuses/translation/translate.ts'
import { Translation } from '../../entities/translation.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

export const translate = route({
  summary: 'A public post in another language, where this server translates',
  auth: 'app',
  scope: 'read:statuses',
  params: { id: IdParam, lang: Type.Optional(Type.String()) },
  returns: Translation,
  async handle({ ctx, viewer, params }) {
    const status = await getTargetStatus(ctx, viewer, params.id)
    return translateStatus(ctx, status, params.lang || viewer?.locale || 'en')
  },
})
