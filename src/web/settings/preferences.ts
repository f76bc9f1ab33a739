import type { FastifyReply } from 'fastify'
import { saveUserLocale, saveUserSettings } from '../../actions/auth/user-settings.ts'
import { findStaffMember, staffMay, STAFF_MAILS, type StaffMail } from '../../domain/auth/staff.ts'
import {
  countSubscriptions,
  deleteSubscriptionsOf,
  mayOfferSubscriptions,
} from '../../domain/email-subscriptions/subscriptions.ts'
import { findUserSettings, type UserLocale } from '../../domain/auth/users.ts'
import { MAILED_TYPES } from '../../domain/notifications/mails.ts'
import { LANGUAGES, LOCALES } from '../../domain/server/languages.ts'
import { QUOTE_POLICIES } from '../../domain/statuses/quotes/policy.ts'
import { DEFAULT_VISIBILITIES, type UserSettings } from '../../domain/auth/viewer.ts'
import { textParam } from '../../html/form-page.ts'
import { checkbox, multiSelect, radioGroup, select, type Choice } from '../../html/forms.ts'
import { languageChoices, languageName } from '../../html/texts.ts'
import { Invalid } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import { message } from '../../messages/message.ts'
import type { SettingsTexts } from '../../messages/en/settings.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'

const PATH = '/settings/preferences'

type Preferences = SettingsTexts['preferences']

const MEDIA = ['default', 'show_all', 'hide_all'] as const
const CODES = ['', ...LANGUAGES.map(({ code }) => code)]

const privacyChoices = (t: Preferences): Choice[] =>
  DEFAULT_VISIBILITIES.map((value) => ({ value, label: t[value], hint: t[`${value}_hint`] }))
const quoteChoices = (t: Preferences): Choice[] => {
  const labels = { public: t.everyone, followers: t.your_followers, nobody: t.only_you }
  return QUOTE_POLICIES.map((value) => ({ value, label: labels[value] }))
}
const mediaChoices = (t: Preferences): Choice[] => {
  const labels = { default: t.media_default, show_all: t.media_show, hide_all: t.media_hide }
  return MEDIA.map((value) => ({ value, label: labels[value] }))
}
/** Each language by its own name, so that users who cannot read the page find their own. */
const localeChoices: Choice[] = [...LOCALES].map((value) => ({
  value,
  label: languageName({ language: value }, value),
}))
/** `current`: may be an alias such as Asia/Kolkata, by which browsers and applications call zones. */
function zoneChoices(t: Preferences, current: string | null): Choice[] {
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(current === null ? [] : [current])])
  return [
    { value: '', label: t.server_zone },
    ...[...names].map((value) => ({ value, label: value.replaceAll('_', ' ') })),
  ]
}

const MAILS = Object.keys(STAFF_MAILS) as StaffMail[]

export const preferencesPage: SettingsPage = {
  key: 'preferences',
  path: PATH,
  routes(router) {
    router.get(PATH, async (visit) => show(visit, await findUserSettings(visit.ctx, visit.session.userId)))
    router.post(PATH, save)
  },
}

type Filled = UserLocale & { settings: UserSettings }

async function save(visit: SettingsVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, session } = visit
  const filled = { settings: {}, locale: '', time_zone: null } as Filled
  try {
    filled.locale = textParam(request.body, 'locale')
    filled.time_zone = textParam(request.body, 'time_zone') || null
    filled.settings = settingsIn(request.body, await staffMailsOf(visit))
    await ctx.transaction(async (tx) => {
      await saveUserSettings(tx, session.userId, filled.settings)
      await saveUserLocale(tx, session.userId, filled)
      if (textParam(request.body, 'remove_email_subscriptions') === '1')
        await deleteSubscriptionsOf(tx, session.accountId)
    })
  } catch (error) {
    return show(visit, filled, problemsOf(t, error))
  }
  return reply.redirect(`${PATH}?notice=saved`, 303)
}

/** The settings that every user has on the page; the others are for some. */
type SettingsOfAll = Required<Omit<UserSettings, StaffMail | 'email_subscriptions'>>

/** The mails of staff that the user may get. */
async function staffMailsOf({ ctx, session }: SettingsVisit): Promise<StaffMail[]> {
  const staff = await findStaffMember(ctx, session.userId)
  return MAILS.filter((mail) => staffMay(staff, STAFF_MAILS[mail]))
}

function settingsIn(body: unknown, mails: readonly StaffMail[]): UserSettings & SettingsOfAll {
  const on = (name: string): boolean => textParam(body, name) === '1'
  const oneOf = <const T extends string>(name: string, choices: readonly T[]): T => {
    const known = choices.find((value) => value === textParam(body, name))
    if (known === undefined) throw new Invalid(message('parameters_invalid'))
    return known
  }
  return {
    privacy: oneOf('privacy', DEFAULT_VISIBILITIES),
    sensitive: on('sensitive'),
    language: oneOf('language', CODES) || null,
    quote_policy: oneOf('quote_policy', QUOTE_POLICIES),
    show_application: on('show_application'),
    expand_media: oneOf('expand_media', MEDIA),
    expand_spoilers: on('expand_spoilers'),
    autoplay_gifs: on('autoplay_gifs'),
    chosen_languages: chosenLanguages(body),
    notification_mails: MAILED_TYPES.filter((type) => on(`mail_${type}`)),
    // Only users whose role permits it, or who have subscribers, have the field.
    ...(on('email_subscriptions_shown') ? { email_subscriptions: on('email_subscriptions') } : {}),
    // Only staff have the fields.
    ...Object.fromEntries(mails.filter((mail) => on(`${mail}_shown`)).map((mail) => [mail, on(mail)])),
  }
}

function chosenLanguages(body: unknown): string[] {
  const { chosen_languages: sent } = (body ?? {}) as Record<string, unknown>
  return Array.isArray(sent)
    ? [...new Set(sent)].filter((code): code is string => code !== '' && CODES.includes(code))
    : []
}

async function show(visit: SettingsVisit, filled: Filled, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t } = visit
  const { preferences } = t.settings
  const names = languageChoices(t)
  const languages = [{ value: '', label: preferences.language_of_app }, ...names]
  const { settings, locale, time_zone: zone } = filled
  const group = (legend: string, name: keyof UserSettings, options: readonly Choice[], otherwise: string) =>
    radioGroup({ legend, name, options, value: String(settings[name] ?? otherwise) })
  const mails = await staffMailsOf(visit)
  const subscriptions = await subscriptionFields(visit, settings)
  return sendSettingsPage(visit, {
    problems,
    notices: { saved: preferences.saved },
    body: (csrf) => html`<form method="post" action="${PATH}">${csrf}
<section class="card"><h2>${preferences.new_posts}</h2>
${group(preferences.visibility, 'privacy', privacyChoices(preferences), 'public')}
${group(preferences.quotes, 'quote_policy', quoteChoices(preferences), 'public')}
${select({ label: preferences.language, name: 'language', value: settings.language ?? '', options: languages })}
${checkbox({ label: preferences.sensitive, name: 'sensitive', checked: settings.sensitive ?? false })}
${checkbox({ label: preferences.show_application, name: 'show_application', checked: settings.show_application ?? true })}
</section>
<section class="card"><h2>${preferences.reading}</h2>
${group(preferences.media, 'expand_media', mediaChoices(preferences), 'default')}
${checkbox({ label: preferences.spoilers, name: 'expand_spoilers', checked: settings.expand_spoilers ?? false })}
${checkbox({ label: preferences.autoplay, name: 'autoplay_gifs', checked: settings.autoplay_gifs ?? false })}
${multiSelect({ label: preferences.chosen_languages, name: 'chosen_languages', hint: preferences.chosen_languages_hint, values: settings.chosen_languages ?? [], options: names })}
</section>
<section class="card"><h2>${preferences.language_and_time}</h2>
${select({ label: preferences.locale, name: 'locale', value: locale, error: problems.of('locale'), options: localeChoices })}
${select({ label: preferences.time_zone, name: 'time_zone', value: zone ?? '', error: problems.of('time_zone'), options: zoneChoices(preferences, zone) })}
</section>
<section class="card"><h2>${preferences.notification_mails}</h2>
<p class="hint">${preferences.notification_mails_hint}</p>
${MAILED_TYPES.map((type) => checkbox({ label: preferences.mailed[type], name: `mail_${type}`, checked: settings.notification_mails?.includes(type) ?? false }))}
</section>
${subscriptions}
${
  mails.length > 0 &&
  html`<section class="card"><h2>${preferences.moderation}</h2>
${mails.map((mail) => html`<input type="hidden" name="${mail}_shown" value="1">${checkbox({ label: preferences[mail], name: mail, checked: settings[mail] ?? true })}`)}
</section>`
}
<div class="actions"><button>${t.form.save}</button></div>
</form>`,
  })
}

/** Null for users who may not offer their posts by mail, and have no subscribers from when they might. */
async function subscriptionFields({ ctx, t, session }: SettingsVisit, settings: UserSettings): Promise<Html | null> {
  const { preferences } = t.settings
  const [mayOffer, count] = await Promise.all([
    mayOfferSubscriptions(ctx, session.accountId),
    countSubscriptions(ctx, session.accountId),
  ])
  if (!mayOffer && count === 0) return null
  const offer = checkbox({
    label: preferences.offer_email_subscriptions,
    name: 'email_subscriptions',
    checked: settings.email_subscriptions ?? false,
    hint: preferences.offer_email_subscriptions_hint,
  })
  return html`<section class="card"><h2>${preferences.email_subscriptions}</h2>
<input type="hidden" name="email_subscriptions_shown" value="1">
${!mayOffer && html`<p>${preferences.email_subscriptions_off}</p>`}
${offer}
<p>${preferences.email_subscription_count({ count })}</p>
${count > 0 && checkbox({ label: preferences.remove_email_subscriptions, name: 'remove_email_subscriptions' })}
</section>`
}
