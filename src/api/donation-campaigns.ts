import Type from 'typebox'
import { closestLocale } from '../domain/server/languages.ts'
import { findCampaign } from '../domain/server/donation-campaigns.ts'
import { route } from '../http/route.ts'

/** As the configured service has it. */
const DonationCampaign = Type.Record(Type.String(), Type.Unknown(), { $id: 'DonationCampaign' })

/** The digits of an id that differ from user to user. */
const LAST_DIGITS = 9

export const getDonationCampaign = route({
  summary: 'The appeal for donations that the configured service has for the user; 204 for none',
  params: { locale: Type.Optional(Type.String()), seed: Type.Optional(Type.Integer()) },
  returns: DonationCampaign,
  also: [204],
  async handle({ ctx, viewer, params, reply }) {
    const locale = closestLocale(params.locale ?? '') ?? viewer.locale
    const seed = params.seed ?? Number(viewer.accountId.slice(-LAST_DIGITS))
    const campaign = await findCampaign(ctx, { locale, seed })
    if (campaign === null) void reply.status(204)
    return campaign ?? {}
  },
})
