import Type from 'typebox'
import { findCurrentTerms, findTermsOf } from '../../domain/terms/terms.ts'
import { presentTerms, TermsOfServiceEntity } from '../../entities/terms-of-service.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'

export const getTermsOfService = route({
  summary: 'The terms of service that apply now',
  auth: 'public',
  alwaysOpen: true,
  cacheable: true,
  returns: TermsOfServiceEntity,
  async handle({ ctx }) {
    const terms = await findCurrentTerms(ctx)
    if (!terms) throw new NotFound()
    return presentTerms(ctx, terms)
  },
})

export const getTermsOfServiceByDate = route({
  summary: 'The terms of service that begin on a day (YYYY-MM-DD)',
  auth: 'public',
  alwaysOpen: true,
  cacheable: true,
  params: { date: Type.String() },
  returns: TermsOfServiceEntity,
  async handle({ ctx, params }) {
    const terms = await findTermsOf(ctx, params.date)
    if (!terms) throw new NotFound()
    return presentTerms(ctx, terms)
  },
})
