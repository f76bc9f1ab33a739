// /settings/applications: applications that people register for themselves, with a token that acts as them.
import type { FastifyReply } from 'fastify'
import {
  createOwnApp,
  deleteOwnApp,
  readOwnApps,
  renewOwnToken,
  renewSecret,
  type OwnApp,
} from '../../actions/auth/own-apps.ts'
import { MAX_APP_NAME, MAX_APP_WEBSITE, OUT_OF_BAND } from '../../domain/auth/apps.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'

const PATH = '/settings/applications'
/** Characters of a field: more than the longest list of addresses that an application may have. */
const MAX_LENGTH = 10_000

export const ownApplicationsPage: SettingsPage = {
  key: 'own_applications',
  path: PATH,
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(PATH, create)
    router.post(`${PATH}/:id/secret`, async (visit) => {
      const id = pathId(visit)
      const secret = await renewSecret(visit.ctx, visit.session.userId, id)
      if (secret === null) throw new NotFound()
      return show(visit, { fresh: { id, secret } })
    })
    router.post(`${PATH}/:id/token`, async (visit) => {
      if (!(await renewOwnToken(visit.ctx, visit.session.userId, pathId(visit)))) throw new NotFound()
      return visit.reply.redirect(`${PATH}?notice=new_token`, 303)
    })
    router.post(`${PATH}/:id/delete`, async (visit) => {
      if (!(await deleteOwnApp(visit.ctx, visit.session.userId, pathId(visit)))) throw new NotFound()
      return visit.reply.redirect(`${PATH}?notice=deleted`, 303)
    })
  },
}

type Filled = { name: string; website: string; redirect_uris: string; scopes: string }
const EMPTY: Filled = { name: '', website: '', redirect_uris: OUT_OF_BAND, scopes: 'read' }

/** Of the form, by what their problems are about. */
const PARAMETERS: Readonly<Record<string, string>> = {
  application_name: 'name',
  application_website: 'website',
  redirect_uri: 'redirect_uris',
}

async function create(visit: SettingsVisit): Promise<FastifyReply> {
  const { ctx, t, request, session } = visit
  const text = (name: keyof Filled): string => textParam(request.body, name)
  const filled = {
    name: text('name'),
    website: text('website'),
    redirect_uris: text('redirect_uris'),
    scopes: text('scopes'),
  }
  const { name, website, redirect_uris: redirectUris, scopes } = filled
  try {
    const fresh = await createOwnApp(ctx, session.userId, { name, website, redirectUris: [redirectUris], scopes })
    return show(visit, { fresh })
  } catch (error) {
    return show(visit, { filled, problems: problemsOf(t, error, (field) => PARAMETERS[field] ?? field) })
  }
}

/** `fresh`: an application whose secret is shown now, and never again. */
type Shown = { filled?: Filled; problems?: FormProblems; fresh?: { id: string; secret: string } }

async function show(visit: SettingsVisit, shown: Shown = {}): Promise<FastifyReply> {
  const { ctx, t, session } = visit
  const { own_applications: texts } = t.settings
  const { filled = EMPTY, problems = noProblems, fresh } = shown
  const apps = await readOwnApps(ctx, session)
  return sendSettingsPage(visit, {
    problems,
    notices: { deleted: texts.deleted, new_token: texts.new_token_notice },
    body: (csrf) => html`<p class="lead">${texts.lead}</p>
${apps.map((app) => card(t, app, csrf, app.id === fresh?.id ? fresh.secret : null))}
${form(t, filled, problems, csrf)}`,
  })
}

function card(t: Texts, app: OwnApp, csrf: Html, secret: string | null): Html {
  const { own_applications: texts } = t.settings
  const value = (label: string, content: string): Html =>
    html`<dt>${label}</dt><dd><code dir="ltr">${content}</code></dd>`
  const button = (act: string, label: string, kind: string): Html =>
    html`<form method="post" action="${PATH}/${app.id}/${act}">${csrf}<button class="${kind}">${label}<span class="visually-hidden"> ${app.name}</span></button></form>`
  return html`<section class="card"><h2>${app.name}</h2>
${secret !== null && html`<p class="notice success" role="status">${texts.secret_once}</p>`}
<dl class="own-application">
${value(texts.client_key, app.client_id)}
${secret !== null && value(texts.client_secret, secret)}
${value(texts.token, app.token)}
${value(texts.scopes, app.scopes.join(' '))}
${app.redirect_uris.map((uri) => value(texts.redirect_uri, uri))}
</dl>
<div class="actions">${button('token', texts.new_token, 'secondary')}${button('secret', texts.new_secret, 'secondary')}${button('delete', texts.delete, 'danger')}</div>
</section>`
}

function form(t: Texts, filled: Filled, problems: FormProblems, csrf: Html): Html {
  const { own_applications: texts } = t.settings
  return html`<form method="post" action="${PATH}" class="card"><h2>${texts.new}</h2>${csrf}
${field(t, { label: texts.name, name: 'name', value: filled.name, error: problems.of('application_name'), maxLength: MAX_APP_NAME, required: true })}
${field(t, { label: texts.website, name: 'website', type: 'url', value: filled.website, error: problems.of('application_website'), maxLength: MAX_APP_WEBSITE })}
${field(t, { label: texts.scopes, name: 'scopes', value: filled.scopes, error: problems.of('scopes'), hint: texts.scopes_hint, literal: true, required: true })}
${field(t, { label: texts.redirect_uris, name: 'redirect_uris', type: 'textarea', value: filled.redirect_uris, error: problems.of('redirect_uri'), hint: texts.redirect_uris_hint, maxLength: MAX_LENGTH, literal: true, required: true })}
<div class="actions"><button>${texts.create}</button></div>
</form>`
}
