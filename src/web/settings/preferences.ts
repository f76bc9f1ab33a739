// /settings/preferences: what new posts are like, what is shown, language and time.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { LOCALES } from '../../domain/auth/locales.ts'
import { placeOf, savePlace, saveUserSettings, type Place } from '../../domain/auth/user-settings.ts'
import type { UserSettings } from '../../domain/auth/viewer.ts'
import { LANGUAGES } from '../../domain/server/languages.ts'
import { textParam } from '../../html/form-page.ts'
import { checkbox, radioGroup, select, type Choice } from '../../html/forms.ts'
import { onGet, onPost, sendSettingsPage, type OwnVisit } from '../../html/settings-page.ts'
import { Invalid } from '../../lib/errors.ts'
import { textsFor } from '../../html/texts.ts'
import { html } from '../../lib/html.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'

const PATH = '/settings/preferences'

const PRIVACY = [
  { value: 'public', label: 'Public', hint: 'Everybody sees them, everywhere.' },
  { value: 'unlisted', label: 'Quiet', hint: 'Everybody may see them, but they are in no timelines and searches.' },
  { value: 'private', label: 'Followers', hint: 'Only your followers see them.' },
] as const
const QUOTES = [
  { value: 'public', label: 'Everybody' },
  { value: 'followers', label: 'Your followers' },
  { value: 'nobody', label: 'Only you' },
] as const
const MEDIA = [
  { value: 'default', label: 'Hide what is marked as sensitive' },
  { value: 'show_all', label: 'Always show everything' },
  { value: 'hide_all', label: 'Always hide everything' },
] as const

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })
const LOCALE_CHOICES = [...LOCALES].map((value) => ({ value, label: languageNames.of(value) ?? value }))
const ZONE_CHOICES = [
  { value: '', label: 'That of the server (UTC)' },
  ...['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value, label: value.replaceAll('_', ' ') })),
]
const LANGUAGE_CHOICES = [
  { value: '', label: 'That of the application' },
  ...LANGUAGES.map(({ code, name }) => ({ value: code, label: name })),
]

export function registerPreferences(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, PATH, async (visit) => show(visit, await placeOf(ctx, visit.session.userId)))
  onPost(app, ctx, PATH, { back: PATH }, save)
}

type Filled = Place & { settings: UserSettings }

async function save(visit: OwnVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, request, reply, session } = visit
  const filled = { settings: {}, locale: '', time_zone: null } as Filled
  try {
    filled.locale = textParam(request.body, 'locale')
    filled.time_zone = textParam(request.body, 'time_zone') || null
    filled.settings = settingsIn(request.body)
    await ctx.transaction(async (tx) => {
      await saveUserSettings(tx, session.userId, filled.settings)
      await savePlace(tx, session.userId, filled)
    })
  } catch (error) {
    return show(
      visit,
      filled,
      problemsOf(t, error, (name) => name),
    )
  }
  return reply.redirect(`${PATH}?notice=saved`, 303)
}

function settingsIn(body: unknown): UserSettings {
  const on = (name: string): boolean => textParam(body, name) === '1'
  const oneOf = <const T extends string>(name: string, choices: readonly { value: T }[]): T => {
    const known = choices.find(({ value }) => value === textParam(body, name))
    if (!known) throw new Invalid('Choose one of what is offered')
    return known.value
  }
  return {
    privacy: oneOf('privacy', PRIVACY),
    sensitive: on('sensitive'),
    language: oneOf('language', LANGUAGE_CHOICES) || null,
    quote_policy: oneOf('quote_policy', QUOTES),
    show_application: on('show_application'),
    expand_media: oneOf('expand_media', MEDIA),
    expand_spoilers: on('expand_spoilers'),
    autoplay_gifs: on('autoplay_gifs'),
  }
}

function show(visit: OwnVisit, filled: Filled, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { settings, locale, time_zone: zone } = filled
  const isSaved = textParam(visit.request.query, 'notice') === 'saved'
  const group = (legend: string, name: keyof UserSettings, options: readonly Choice[], otherwise: string) =>
    radioGroup({ legend, name, options, value: String(settings[name] ?? otherwise) })
  return sendSettingsPage(visit, {
    title: 'Preferences',
    path: PATH,
    status: problems === noProblems ? 200 : 422,
    ...(isSaved ? { notice: { text: 'Your preferences are saved. Applications take them up when they start.' } } : {}),
    body: (csrf) => html`${problems.summary}
<h1>Preferences</h1>
<form method="post" action="${PATH}">${csrf}
<section class="card"><h2>New posts</h2>
${group('Who sees them', 'privacy', PRIVACY, 'public')}
${group('Who may quote them', 'quote_policy', QUOTES, 'public')}
${select({ label: 'Language', name: 'language', value: settings.language ?? '', options: LANGUAGE_CHOICES })}
${checkbox({ label: 'Mark my media as sensitive', name: 'sensitive', checked: settings.sensitive ?? false })}
${checkbox({ label: 'Show with which application I post', name: 'show_application', checked: settings.show_application ?? true })}
</section>
<section class="card"><h2>Reading</h2>
${group('Pictures and videos', 'expand_media', MEDIA, 'default')}
${checkbox({ label: 'Open posts with content warnings', name: 'expand_spoilers', checked: settings.expand_spoilers ?? false })}
${checkbox({ label: 'Play animated pictures by themselves', name: 'autoplay_gifs', checked: settings.autoplay_gifs ?? false })}
</section>
<section class="card"><h2>Language and time</h2>
${select({ label: 'Language of mails and applications', name: 'locale', value: locale, options: LOCALE_CHOICES })}
${select({ label: 'Time zone', name: 'time_zone', value: zone ?? '', options: ZONE_CHOICES })}
</section>
<div class="actions"><button>Save</button></div>
</form>`,
  })
}
