// /settings/profile: who one is to others.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import {
  DISPLAY_NAME_LIMIT,
  FIELD_LIMIT,
  MAX_FIELDS,
  NOTE_LIMIT,
  PICTURE_DESCRIPTION_LIMIT,
  type ProfileChanges,
} from '../../domain/accounts/profile-rules.ts'
import { saveProfile } from '../../actions/accounts/save-profile.ts'
import { readCredentialAccount, type CredentialAccount } from '../../entities/credential-account.ts'
import { isUpload } from '../../http/body.ts'
import { textParam } from '../../html/form-page.ts'
import { checkbox, field, fieldId, fileField } from '../../html/forms.ts'
import { onGet, onPost, sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { textsFor } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'

const PATH = '/settings/profile'

const LABELS: Record<string, string> = {
  display_name: 'Name',
  note: 'About you',
  fields: 'Table',
  avatar: 'Picture',
  avatar_description: 'Description of the picture',
  header: 'Header',
  header_description: 'Description of the header',
  attribution_domains: 'Websites',
}

const SWITCHES = ['locked', 'bot', 'discoverable', 'indexable', 'hide_collections'] as const

export function registerProfileSettings(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, PATH, async (visit) => show(visit, filledFrom(await read(visit))))
  onPost(app, ctx, PATH, { back: PATH, files: true }, save)
}

const read = ({ ctx, session }: SettingsVisit): Promise<CredentialAccount> =>
  readCredentialAccount(ctx, session.accountId)

/** What the form holds: texts as typed, fields by position. */
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
    note: text('note').replaceAll('\r\n', '\n'),
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
  const t = textsFor(visit.request)
  const { ctx, request, reply, session } = visit
  const filled = filledIn(request.body)
  const domains = filled.attribution_domains.split(/[\r\n,]+/)
  const changes: ProfileChanges = { ...filled, attribution_domains: domains, ...picturesIn(request.body) }
  try {
    await saveProfile(ctx, session, changes)
  } catch (error) {
    return show(
      visit,
      filled,
      problemsOf(t, error, (name) => (name === 'fields' ? 'fields[0][name]' : name), LABELS),
    )
  }
  return reply.redirect(`${PATH}?notice=saved`, 303)
}

/** A new picture, or none any longer; absent where it stays. */
function picturesIn(body: unknown): Pick<ProfileChanges, 'avatar' | 'header'> {
  const changes: Pick<ProfileChanges, 'avatar' | 'header'> = {}
  for (const kind of ['avatar', 'header'] as const) {
    const file = (body as Record<string, unknown> | undefined)?.[kind]
    if (isUpload(file)) changes[kind] = file
    else if (textParam(body, `remove_${kind}`) === '1') changes[kind] = null
  }
  return changes
}

async function show(visit: SettingsVisit, filled: Filled, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const account = await read(visit)
  const isSaved = textParam(visit.request.query, 'notice') === 'saved'
  return sendSettingsPage(visit, {
    title: 'Profile',
    path: PATH,
    status: problems === noProblems ? 200 : 422,
    ...(isSaved ? { notice: { text: 'Your profile is saved.' } } : {}),
    body: (csrf) => html`${problems.summary}
<h1>Profile</h1>
<form method="post" action="${PATH}" enctype="multipart/form-data">${csrf}
<section class="card"><h2>You</h2>
${field(t, { label: 'Name', name: 'display_name', value: filled.display_name, error: problems.of('display_name'), hint: `Up to ${DISPLAY_NAME_LIMIT} characters.`, autocomplete: 'name' })}
${field(t, { label: 'About you', name: 'note', type: 'textarea', value: filled.note, error: problems.of('note'), hint: `Up to ${NOTE_LIMIT} characters. Links, #hashtags and @names work.` })}
${table(filled, problems)}
</section>
<section class="card"><h2>Pictures</h2>
${picture(t, 'avatar', account.avatar, filled, problems)}
<hr>
${picture(t, 'header', account.header, filled, problems)}
</section>
<section class="card"><h2>Who finds you, and how</h2>
${checkbox({ label: 'I decide who follows me', name: 'locked', checked: filled.locked, hint: 'People ask first.' })}
${checkbox({ label: 'Suggest me to others', name: 'discoverable', checked: filled.discoverable, hint: 'In the directory and in suggestions.' })}
${checkbox({ label: 'My public posts may be searched', name: 'indexable', checked: filled.indexable, hint: 'Here, on other servers, and by search engines.' })}
${checkbox({ label: 'Hide whom I follow and who follows me', name: 'hide_collections', checked: filled.hide_collections })}
${checkbox({ label: 'This is an automated account', name: 'bot', checked: filled.bot })}
${field(t, { label: 'Websites that may name me as an author', name: 'attribution_domains', type: 'textarea', value: filled.attribution_domains, error: problems.of('attribution_domains'), hint: 'One domain on each line.', literal: true })}
</section>
<div class="actions"><button>Save</button><a class="button secondary" href="${account.url}">See your profile</a></div>
</form>`,
  })
}

function table({ fields }: Filled, problems: FormProblems): Html {
  const error = problems.of('fields')
  const rows = Array.from({ length: MAX_FIELDS }, (_, i) => {
    const { name = '', value = '' } = fields[i] ?? {}
    const cell = (part: 'name' | 'value', label: string, text: string): Html => {
      const id = fieldId(`fields[${i}][${part}]`)
      return html`<div class="field"><label class="visually-hidden" for="${id}">${label} ${i + 1}</label>
<input type="text" id="${id}" name="fields[${i}][${part}]" value="${text}" maxlength="${FIELD_LIMIT}" placeholder="${label}"></div>`
    }
    return html`<div class="pair">${cell('name', 'Label', name)}${cell('value', 'Content', value)}</div>`
  })
  return html`<fieldset><legend>Table <span class="optional">(optional)</span></legend>
<p class="hint">Shown on your profile. A link is marked as yours when that page links back with <code>rel="me"</code>.</p>
${error && html`<p class="field-error">${error}</p>`}
${rows}</fieldset>`
}

function picture(t: Texts, kind: 'avatar' | 'header', url: string, filled: Filled, problems: FormProblems): Html {
  const label = kind === 'avatar' ? 'Picture' : 'Header'
  const [width, height] = kind === 'avatar' ? [96, 96] : [300, 100]
  const name = `${kind}_description` as const
  return html`<img class="picture-preview" src="${url}" alt="" width="${width}" height="${height}">
${fileField(t, { label, name: kind, error: problems.of(kind), hint: 'PNG, JPEG, GIF or WebP, up to 8 MB.', accept: 'image/png,image/jpeg,image/gif,image/webp' })}
${field(t, { label: `Description of the ${label.toLowerCase()}`, name, value: filled[name], error: problems.of(name), hint: 'For people who cannot see it.', maxLength: PICTURE_DESCRIPTION_LIMIT })}
${checkbox({ label: `Remove the ${label.toLowerCase()}`, name: `remove_${kind}` })}`
}
