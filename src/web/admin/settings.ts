// /admin/settings/…: what administrators decide about the server.
import type { FastifyReply } from 'fastify'
import { changeSettings, MAX_THUMBNAIL_DESCRIPTION, type SettingsForm } from '../../actions/server/settings.ts'
import { IMAGE_TYPES } from '../../domain/media/types.ts'
import {
  SETTING_RULES,
  settingText,
  type SettingChoice,
  type SettingRule,
  type SettingTexts,
} from '../../domain/server/setting-rules.ts'
import { fixedSettings, getSettings, type SettingName } from '../../domain/server/settings.ts'
import { getSiteUploads, SITE_UPLOADS, type SiteUploadName } from '../../domain/server/site-uploads.ts'
import { textParam } from '../../html/form-page.ts'
import { checkbox, field, fileField, radioGroup, type FormField } from '../../html/forms.ts'
import { isUpload } from '../../http/multipart.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { labelledProblems, noProblems, type FormProblems } from '../form-problems.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { tabs } from './kit.ts'
import { colonOf } from '../../messages/colon.ts'

const PATH = '/admin/settings'

type Tab = keyof Texts['admin']['settings']['tabs']
/** All but `set_up`, which the set-up page changes. */
type ShownSetting = Exclude<SettingName, 'set_up'>

/** In the order of display. */
const TAB_OF: Record<ShownSetting, Tab> = {
  site_title: 'branding',
  site_short_description: 'branding',
  site_contact_username: 'branding',
  site_contact_email: 'branding',
  site_extended_description: 'about',
  privacy_policy: 'about',
  languages: 'about',
  show_domain_blocks: 'about',
  show_domain_blocks_rationale: 'about',
  registrations_mode: 'registrations',
  closed_registrations_message: 'registrations',
  require_invite_text: 'registrations',
  min_age: 'registrations',
  captcha_enabled: 'registrations',
  trends: 'discovery',
  trendable_by_default: 'discovery',
  profile_directory: 'discovery',
  email_subscriptions: 'discovery',
  staff_picks: 'discovery',
  local_live_feed_access: 'discovery',
  remote_live_feed_access: 'discovery',
  local_topic_feed_access: 'discovery',
  remote_topic_feed_access: 'discovery',
  peers_api_enabled: 'discovery',
  activity_api_enabled: 'discovery',
  media_cache_max_bytes: 'content_retention',
  media_cache_retention_period: 'content_retention',
  content_cache_retention_period: 'content_retention',
  profile_cache_retention_period: 'content_retention',
  backups_retention_period: 'content_retention',
  custom_css: 'appearance',
}
const SHOWN = Object.keys(TAB_OF) as ShownSetting[]
const TAB_NAMES = [...new Set(Object.values(TAB_OF))]

const settingsOn = (tab: Tab): ShownSetting[] => SHOWN.filter((name) => TAB_OF[name] === tab)

const pathOf = (tab: Tab): string => `${PATH}/${tab}`

export const settingsPage: AdminPage = {
  key: 'settings',
  path: pathOf('branding'),
  permissions: ['manage_settings'],
  routes(router) {
    router.get(PATH, async ({ reply }) => reply.redirect(pathOf('branding')))
    for (const tab of TAB_NAMES) {
      router.get(pathOf(tab), (visit) => show(visit, tab))
      router.post(pathOf(tab), (visit) => save(visit, tab), { files: tab === 'branding' })
    }
  },
}

/** Whether the form has the setting in gigabytes. */
function isInGigabytes(name: SettingName): boolean {
  const rule = SETTING_RULES[name]
  return rule.kind === 'number' && rule.bytes === true
}

const shownText = (name: SettingName, text: string): string =>
  isInGigabytes(name) && text !== '' ? String(Number(text) / 1e9) : text

/** A text that is no number stays as it is, so that the setting's rule refuses it. */
function storedText(name: SettingName, text: string): string {
  const number = text.trim().replace(',', '.')
  const isNumber = isInGigabytes(name) && /^\d{1,9}(\.\d{1,9})?$/.test(number)
  return isNumber ? String(Math.round(Number(number) * 1e9)) : text
}

type Filled = { texts: SettingTexts; thumbnailDescription: string }

async function show(visit: AdminVisit, tab: Tab): Promise<FastifyReply> {
  const [settings, { thumbnail }] = await Promise.all([getSettings(visit.ctx), getSiteUploads(visit.ctx)])
  const texts = Object.fromEntries(settingsOn(tab).map((name) => [name, shownText(name, settingText(settings[name]))]))
  return sendForm(visit, tab, { texts, thumbnailDescription: thumbnail?.description ?? '' })
}

async function save(visit: AdminVisit, tab: Tab): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const { fields, uploads } = t.admin.settings
  const sent = (name: string): string => textParam(request.body, name)
  const filled: Filled = {
    texts: Object.fromEntries(settingsOn(tab).map((name) => [name, sent(name)])),
    thumbnailDescription: sent('thumbnail_description'),
  }
  const branding = tab === 'branding' && {
    files: filesIn(request.body),
    thumbnailDescription: filled.thumbnailDescription,
  }
  try {
    const texts = Object.fromEntries(
      Object.entries(filled.texts).map(([name, text]) => [name, storedText(name as SettingName, text)]),
    )
    await changeSettings(ctx, staff.accountId, { texts, ...branding })
  } catch (error) {
    const labels = Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label]))
    return sendForm(visit, tab, filled, labelledProblems(t, error, { ...labels, ...uploads }))
  }
  return reply.redirect(`${pathOf(tab)}?notice=saved`, 303)
}

function filesIn(body: unknown): NonNullable<SettingsForm['files']> {
  const files: NonNullable<SettingsForm['files']> = {}
  for (const name of SITE_UPLOADS) {
    const file = (body as Record<string, unknown> | null)?.[name]
    if (isUpload(file)) files[name] = file
    else if (textParam(body, `remove_${name}`) === '1') files[name] = 'remove'
  }
  return files
}

async function sendForm(
  visit: AdminVisit,
  tab: Tab,
  filled: Filled,
  problems: FormProblems = noProblems,
): Promise<FastifyReply> {
  const { ctx, t } = visit
  const texts = t.admin.settings
  const images = tab === 'branding' ? await uploadFields(visit, filled, problems) : null
  const links = TAB_NAMES.map((name) => ({ href: pathOf(name), label: texts.tabs[name] }))
  const fixed = fixedSettings(ctx)
  return sendAdminPage(visit, {
    title: texts.tabs[tab],
    lead: texts.leads[tab],
    problems,
    notices: { saved: texts.saved },
    body: (csrf) => html`${tabs(texts.tabs_label, pathOf(tab), links)}
<form class="card" method="post" action="${pathOf(tab)}"${tab === 'branding' && html` enctype="multipart/form-data"`}>${csrf}
${settingsOn(tab).map((name) => settingField(t, name, { value: filled.texts[name] ?? '', error: problems.of(name), variable: fixed[name] }))}
${images}
<div class="actions"><button>${texts.save}</button></div>
</form>`,
  })
}

/** `variable`: of the environment, which decides the setting. */
function settingField(
  t: Texts,
  name: ShownSetting,
  { value, error, variable }: { value: string; error: string | null; variable: string | undefined },
): Html {
  const { fields, fixed } = t.admin.settings
  const { label, hint } = fields[name]
  if (variable !== undefined)
    return html`<div class="field"><p><strong>${label}</strong>${colonOf(t.language)}${value === '' ? t.admin.frame.no : choiceLabel(t, value)}</p><p class="hint">${fixed({ variable })}</p></div>`
  const labelled = { label, name, error, ...(hint ? { hint } : {}) }
  return control(t, SETTING_RULES[name], value, labelled)
}

type Labelled = Pick<FormField, 'label' | 'name' | 'error' | 'hint'>

function control(t: Texts, rule: SettingRule, value: string, labelled: Labelled): Html {
  switch (rule.kind) {
    case 'boolean':
      return checkbox({ ...labelled, checked: value !== '' })
    case 'choice': {
      const { label: legend, ...rest } = labelled
      const options = rule.options.map((option) => ({ value: option, label: choiceLabel(t, option) }))
      return radioGroup({ legend, ...rest, value, options })
    }
    case 'number':
      return field(t, { ...labelled, value, inputMode: 'numeric', required: rule.required === true })
    case 'text': {
      const type = rule.lines ? 'textarea' : 'text'
      const literal = labelled.name === 'custom_css'
      return field(t, { ...labelled, value, type, maxLength: rule.max, required: rule.required === true, literal })
    }
    case 'email':
      return field(t, { ...labelled, value, type: 'email', literal: true })
    case 'username':
      return field(t, { ...labelled, value, literal: true })
    default:
      return field(t, { ...labelled, value, type: 'textarea', literal: true })
  }
}

function choiceLabel(t: Texts, value: string): string {
  const choices: Record<SettingChoice, string> = t.admin.settings.choices
  return Object.hasOwn(choices, value) ? choices[value as SettingChoice] : value
}

const UPLOAD_VARIANTS: Record<SiteUploadName, { variant: string; width: number; height: number }> = {
  thumbnail: { variant: '1x', width: 300, height: 158 },
  favicon: { variant: '48', width: 48, height: 48 },
  app_icon: { variant: '192', width: 96, height: 96 },
}

async function uploadFields({ ctx, t }: AdminVisit, filled: Filled, problems: FormProblems): Promise<Html> {
  const texts = t.admin.settings
  const current = await getSiteUploads(ctx)
  return html`${SITE_UPLOADS.map((name) => {
    const { variant, width, height } = UPLOAD_VARIANTS[name]
    const key = current[name]?.variants[variant]
    return html`<div class="upload">
${fileField(t, { label: texts.uploads[name], name, hint: texts.uploads[`${name}_hint`], error: problems.of(name), accept: IMAGE_TYPES.join(',') })}
${key && html`<p><img src="${ctx.files.url(key)}" alt="${texts.current_image}" width="${width}" height="${height}"></p>`}
${key && checkbox({ label: texts.remove_image, name: `remove_${name}` })}
${name === 'thumbnail' && field(t, { label: texts.uploads.thumbnail_description, name: 'thumbnail_description', value: filled.thumbnailDescription, error: problems.of('thumbnail_description'), maxLength: MAX_THUMBNAIL_DESCRIPTION })}
</div>`
  })}`
}
