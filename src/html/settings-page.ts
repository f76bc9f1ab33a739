// The frame of the settings pages: session, menu, and the check of their forms.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { html, type Html } from '../lib/html.ts'
import type { SettingsTexts } from '../messages/en/settings.ts'
import { checkForm } from './csrf.ts'
import { sendFormPage, type FormPage, type FormVisit } from './form-page.ts'
import { currentSession } from './session.ts'
import { textsFor } from './texts.ts'

/** A signed-in user's request. */
export type SettingsVisit = FormVisit & { session: Session }

/** The settings pages, in the order of the menu. web/settings/routes.ts registers each of them. */
export const SETTINGS_MENU = [
  {
    group: 'you',
    pages: [
      { key: 'profile', path: '/settings/profile' },
      { key: 'preferences', path: '/settings/preferences' },
    ],
  },
  {
    group: 'security',
    pages: [
      { key: 'account', path: '/auth/edit' },
      { key: 'two_factor', path: '/settings/two_factor' },
      { key: 'sessions', path: '/settings/sessions' },
      { key: 'applications', path: '/oauth/authorized_applications' },
    ],
  },
  {
    group: 'data',
    pages: [
      { key: 'export', path: '/settings/export' },
      { key: 'import', path: '/settings/import' },
    ],
  },
  {
    group: 'moving',
    pages: [
      { key: 'aliases', path: '/settings/aliases' },
      { key: 'migration', path: '/settings/migration' },
      { key: 'delete', path: '/settings/delete' },
    ],
  },
] as const

type MenuGroup = (typeof SETTINGS_MENU)[number]
export type SettingsPageKey = MenuGroup['pages'][number]['key']

export type SettingsPage = Omit<FormPage, 'kind'> & {
  /** Which entry of the menu this belongs to. */
  path: string
}

/** Sends a page with the menu beside it. */
export function sendSettingsPage(visit: FormVisit, { path, body, ...page }: SettingsPage): Promise<FastifyReply> {
  const { settings } = textsFor(visit.request)
  return sendFormPage(visit, {
    ...page,
    kind: 'wide',
    body: (csrf) => html`<div class="settings">
<nav class="settings-menu" aria-label="${settings.menu.title}">${SETTINGS_MENU.map((group) => groupHtml(settings, group, path))}</nav>
<div>
<p class="settings-back"><a href="/settings">${settings.menu.all}</a></p>
${body(csrf)}
</div>
</div>`,
  })
}

function groupHtml({ menu }: SettingsTexts, { group, pages }: MenuGroup, current: string): Html {
  const items = pages.map(({ key, path }) => {
    const mark = path === current ? html` aria-current="page"` : null
    return html`<li><a href="${path}"${mark}>${menu.pages[key].label}</a></li>`
  })
  return html`<h2>${menu.groups[group]}</h2><ul>${items}</ul>`
}

type Handler = (visit: SettingsVisit) => Promise<FastifyReply>

/** Shows a page to the signed-in user; other visitors sign in first and return to it. */
export function onGet(app: FastifyInstance, ctx: Context, path: string, show: Handler): void {
  app.get(path, async (request, reply) => {
    const session = await currentSession(ctx, request)
    if (!session) return reply.redirect(signInLink(request.url))
    return show({ ctx, request, reply, session })
  })
}

/** Handles a form that the signed-in user submits, after the CSRF check. `back` is the address of its page. */
export function onPost(
  app: FastifyInstance,
  ctx: Context,
  path: string,
  { back, files = false }: { back: string; files?: boolean },
  save: Handler,
): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (await currentSession(ctx, request)) return undefined
    return reply.redirect(signInLink(back), 303)
  }
  app.route({
    method: 'POST',
    url: path,
    config: { files } as object,
    // Refuses before any byte of a file is stored.
    onRequest: refuse,
    async handler(request, reply) {
      const session = await currentSession(ctx, request)
      if (!session) return reply.redirect(signInLink(back), 303)
      await checkForm(ctx, request)
      return save({ ctx, request, reply, session })
    },
  })
}

const signInLink = (next: string): string => `/auth/sign_in?next=${encodeURIComponent(next)}`
