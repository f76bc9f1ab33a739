import Type, { type Static } from 'typebox'
import type { Context } from '../../context.ts'
import { tagUrl } from '../../domain/server/addresses.ts'
import { LANGUAGES } from '../../domain/server/languages.ts'
import { privacyPolicyOf } from '../../domain/server/privacy-policy.ts'
import { listRules } from '../../domain/server/rules.ts'
import { createdAt, getSettings, settingChangedAt, type Settings } from '../../domain/server/settings.ts'
import { translationLanguages } from '../../domain/statuses/translation/backend.ts'
import { CustomEmoji, loadEmojis } from '../../entities/emojis.ts'
import { Instance, presentInstance, presentRule, presentV1Instance, Rule, V1Instance } from '../../entities/instance.ts'
import { DateTime } from '../../entities/schema.ts'
import { languageFor } from '../../http/language.ts'
import { route } from '../../http/route.ts'
import { formatText } from '../../lib/text/format.ts'
import { textsIn } from '../../messages/pages.ts'

export const getInstanceV1 = route({
  summary: 'The server, for old clients',
  auth: 'public',
  alwaysOpen: true,
  deprecated: Date.UTC(2022, 10, 14) / 1000,
  cacheable: true,
  returns: V1Instance,
  handle: ({ ctx }) => presentV1Instance(ctx),
})

export const getInstanceV2 = route({
  summary: 'The server: name, limits, rules, contact',
  auth: 'public',
  alwaysOpen: true,
  cacheable: true,
  returns: Instance,
  handle: ({ ctx }) => presentInstance(ctx),
})

const text = { updated_at: DateTime, content: Type.String() }
const ExtendedDescription = Type.Object(text, { $id: 'ExtendedDescription' })
const PrivacyPolicy = Type.Object(text, { $id: 'PrivacyPolicy' })

export const getRules = route({
  summary: 'The rules of this server, in their order',
  auth: 'public',
  alwaysOpen: true,
  cacheable: true,
  returns: Type.Array(Rule),
  handle: async ({ ctx }) => (await listRules(ctx)).map(presentRule),
})

export const getExtendedDescription = route({
  summary: 'The long description of this server',
  auth: 'public',
  alwaysOpen: true,
  cacheable: true,
  returns: ExtendedDescription,
  handle: ({ ctx }) => readText(ctx, 'site_extended_description', (settings) => settings.site_extended_description),
})

export const getPrivacyPolicy = route({
  summary: 'The privacy policy of this server',
  auth: 'public',
  alwaysOpen: true,
  cacheable: true,
  returns: PrivacyPolicy,
  async handle({ ctx, request, reply }) {
    void reply.headers({ vary: 'Accept, Accept-Language, Authorization, Origin' })
    return readText(ctx, 'privacy_policy', (settings) => privacyPolicyOf(ctx, textsIn(languageFor(request)), settings))
  },
})

export const getLanguages = route({
  summary: 'Languages that a status can have',
  auth: 'public',
  alwaysOpen: true,
  cacheable: true,
  returns: Type.Array(Type.Object({ code: Type.String(), name: Type.String() }, { $id: 'Language' })),
  handle: async () => [...LANGUAGES],
})

/** A text that was never changed is as old as the server: Mastodon's app for iOS refuses one without a date. */
async function readText(
  ctx: Context,
  setting: 'site_extended_description' | 'privacy_policy',
  textOf: (settings: Settings) => string,
): Promise<Static<typeof ExtendedDescription>> {
  const [settings, at] = await Promise.all([getSettings(ctx), settingChangedAt(ctx, setting)])
  const content = formatText(textOf(settings), { mentions: new Map(), tagUrl: (name) => tagUrl(ctx, name) })
  return { updated_at: (at ?? (await createdAt(ctx))).toISOString(), content }
}

export const getTranslationLanguages = route({
  summary: 'The target languages of translations by source language; empty without a translation service',
  auth: 'public',
  cacheable: true,
  returns: Type.Record(Type.String(), Type.Array(Type.String())),
  handle: ({ ctx }) => translationLanguages(ctx),
})

export const getCustomEmojis = route({
  summary: 'The custom emojis of this server',
  auth: 'public',
  cacheable: true,
  returns: Type.Array(CustomEmoji),
  handle: async ({ ctx }) => [...(await loadEmojis(ctx)).values()],
})
