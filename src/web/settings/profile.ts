import { IMAGE_TYPES, PROFILE_IMAGE_SIZE_LIMIT } from '../../domain/media/types.ts'
import type { FastifyReply } from 'fastify'
import {
  DISPLAY_NAME_LIMIT,
  IMAGE_DESCRIPTION_LIMIT,
  type ProfileChanges,
} from '../../domain/accounts/profile-attributes.ts'
import { FIELD_LIMIT, MAX_FIELDS, NOTE_LIMIT } from '../../domain/accounts/profile-rules.ts'
import { saveProfile } from '../../actions/accounts/save-profile.ts'
import { readCredentialAccount, type CredentialAccount } from '../../entities/credential-account.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { isUpload } from '../../http/multipart.ts'
import { textParam } from '../../html/form-page.ts'
import { checkbox, field, fieldId, fileField } from '../../html/forms.ts'
import { fillText, sizeText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'

const PATH = '/settings/profile'

const SWITCHES = ['locked', 'bot', 'discoverable', 'indexable', 'hide_collections'] as const

export const profileSettingsPage: SettingsPage = {
  key: 'profile',
  path: PATH,
  routes(router) {
    router.get(PATH, async (visit) => show(visit, filledFrom(await read(visit))))
    router.post(PATH, save, { files: true })
  },
}

const read = ({ ctx, session }: SettingsVisit): Promise<CredentialAccount> =>
  readCredentialAccount(ctx, session.accountId)

/** Texts as typed, profile fields by position. */
type Filled = {
  display_name: string
  note: string
  avatar_description: string
  header_description: string
  attribution_domains: string
  fields: { name: string; value: string }[]
} & Record<(typeof SWITCHES)[number], boolean>

function filledFrom({ source, ...account }: CredentialAccount): Filled {
  return {
    display_name: account.display_name,
    note: source.note,
    avatar_description: account.avatar_description,
    header_description: account.header_description,
    attribution_domains: source.attribution_domains.join('\n'),
    fields: source.fields,
    locked: account.locked,
    bot: account.bot,
    discoverable: source.discoverable ?? false,
    indexable: source.indexable,
    hide_collections: source.hide_collections ?? false,
  }
}

function filledIn(body: unknown): Filled {
  const text = (name: string): string => textParam(body, name)
  const on = (name: string): boolean => text(name) === '1'
  return {
    display_name: text('display_name'),
    note: text('note'),
    avatar_description: text('avatar_description'),
    header_description: text('header_description'),
    attribution_domains: text('attribution_domains'),
    fields: Array.from({ length: MAX_FIELDS }, (_, i) => ({
      name: textParam(body, 'fields', String(i), 'name'),
      value: textParam(body, 'fields', String(i), 'value'),
    })),
    locked: on('locked'),
    bot: on('bot'),
    discoverable: on('discoverable'),
    indexable: on('indexable'),
    hide_collections: on('hide_collections'),
  }
}

async function save(visit: SettingsVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, session } = visit
  await limitUse(ctx, 'profile', session.userId)
  const filled = filledIn(request.body)
  const domains = filled.attribution_domains.split(/[\r\n,]+/)
  const changes: ProfileChanges = { ...filled, attribution_domains: domains, ...imagesIn(request.body) }
  try {
    await saveProfile(ctx, session, changes)
  } catch (error) {
    return show(
      visit,
      filled,
      problemsOf(t, error, (name) => (name === 'fields' ? 'fields[0][name]' : name)),
    )
  }
  return reply.redirect(`${PATH}?notice=saved`, 303)
}

const isRemoved = (body: unknown, kind: 'avatar' | 'header'): boolean => textParam(body, `remove_${kind}`) === '1'

/** Null removes an image; an absent one stays. */
function imagesIn(body: unknown): Pick<ProfileChanges, 'avatar' | 'header'> {
  const changes: Pick<ProfileChanges, 'avatar' | 'header'> = {}
  for (const kind of ['avatar', 'header'] as const) {
    const file = (body as Record<string, unknown> | undefined)?.[kind]
    if (isUpload(file)) changes[kind] = file
    else if (isRemoved(body, kind)) changes[kind] = null
  }
  return changes
}

async function show(visit: SettingsVisit, filled: Filled, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, request } = visit
  const { body } = request
  const texts = t.settings.profile
  const account = await read(visit)
  const toggle = (name: (typeof SWITCHES)[number], hint?: string): Html =>
    checkbox({ label: texts[name], name, checked: filled[name], ...(hint ? { hint } : {}) })
  return sendSettingsPage(visit, {
    problems,
    notices: { saved: texts.saved },
    body: (csrf) => html`<form method="post" action="${PATH}" enctype="multipart/form-data">${csrf}
<section class="card"><h2>${texts.basics}</h2>
${field(t, { label: texts.labels.display_name, name: 'display_name', value: filled.display_name, error: problems.of('display_name'), hint: texts.up_to({ count: DISPLAY_NAME_LIMIT }), autocomplete: 'name' })}
${field(t, { label: texts.labels.note, name: 'note', type: 'textarea', value: filled.note, error: problems.of('note'), hint: `${texts.up_to({ count: NOTE_LIMIT })} ${texts.note_hint}` })}
${profileFields(t, filled, problems)}
</section>
<section class="card"><h2>${texts.images}</h2>
${imageFields(t, 'avatar', { url: account.avatar, body, filled, problems })}
<hr>
${imageFields(t, 'header', { url: account.header, body, filled, problems })}
</section>
<section class="card"><h2>${texts.privacy}</h2>
${toggle('locked', texts.locked_hint)}
${toggle('discoverable', texts.discoverable_hint)}
${toggle('indexable', texts.indexable_hint)}
${toggle('hide_collections')}
${toggle('bot')}
${field(t, { label: texts.labels.attribution_domains, name: 'attribution_domains', type: 'textarea', value: filled.attribution_domains, error: problems.of('attribution_domains'), hint: texts.attribution_domains_hint, literal: true })}
</section>
<div class="actions"><button>${t.form.save}</button><a class="button secondary" href="${account.url}">${texts.view}</a></div>
</form>`,
  })
}

function profileFields(t: Texts, { fields }: Filled, problems: FormProblems): Html {
  const texts = t.settings.profile
  const error = problems.of('fields')
  const rows = Array.from({ length: MAX_FIELDS }, (_, i) => {
    const { name = '', value = '' } = fields[i] ?? {}
    const cell = (part: 'name' | 'value', label: string, text: string): Html => {
      const id = fieldId(`fields[${i}][${part}]`)
      return html`<div class="field"><label class="visually-hidden" for="${id}">${label} ${i + 1}</label>
<input type="text" id="${id}" name="fields[${i}][${part}]" value="${text}" maxlength="${FIELD_LIMIT}" placeholder="${label}"></div>`
    }
    return html`<div class="pair">${cell('name', texts.field_label, name)}${cell('value', texts.field_content, value)}</div>`
  })
  return html`<fieldset><legend>${texts.labels.fields} <span class="optional">${t.form.optional}</span></legend>
<p class="hint">${fillText(texts.fields_hint, { code: html`<code dir="ltr">rel="me"</code>` })}</p>
${error && html`<p class="field-error">${error}</p>`}
${rows}</fieldset>`
}

type ShownImage = { url: string; body: unknown; filled: Filled; problems: FormProblems }

function imageFields(t: Texts, kind: 'avatar' | 'header', { url, body, filled, problems }: ShownImage): Html {
  const texts = t.settings.profile
  const [width, height] = kind === 'avatar' ? [96, 96] : [300, 100]
  const name = `${kind}_description` as const
  const hint = texts.image_hint({ size: sizeText(t, PROFILE_IMAGE_SIZE_LIMIT) })
  return html`<img class="image-preview" src="${url}" alt="" width="${width}" height="${height}">
${fileField(t, { label: texts.labels[kind], name: kind, error: problems.of(kind), hint, accept: IMAGE_TYPES.join(',') })}
${field(t, { label: texts.labels[name], name, value: filled[name], error: problems.of(name), hint: texts.description_hint, maxLength: IMAGE_DESCRIPTION_LIMIT })}
${checkbox({ label: texts[`remove_${kind}`], name: `remove_${kind}`, checked: isRemoved(body, kind) })}`
}
