// The pages under /settings, and those elsewhere that belong to them: who is signed in, the menu, the frame.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { html, type Html } from '../lib/html.ts'
import { checkForm } from './csrf.ts'
import { sendFormPage, type FormPage, type Visit } from './form-page.ts'
import { findVisitor } from './session.ts'

/** Somebody's request for a page about their own account. */
export type OwnVisit = Visit & { session: Session }

type Entry = { path: string; label: string; about: string }

/** All pages, as the menu shows them. */
export const MENU: readonly { title: string; entries: readonly Entry[] }[] = [
  {
    title: 'You',
    entries: [
      {
        path: '/settings/profile',
        label: 'Profile',
        about: 'Your name, what you say about yourself, pictures, who finds you',
      },
      {
        path: '/settings/preferences',
        label: 'Preferences',
        about: 'What new posts are like, what you see, language and time',
      },
    ],
  },
  {
    title: 'Security',
    entries: [
      { path: '/auth/edit', label: 'Password and e-mail', about: 'What you sign in with' },
      { path: '/settings/two_factor', label: 'Two-factor and passkeys', about: 'A second proof that it is you' },
      { path: '/settings/sessions', label: 'Sessions', about: 'The browsers in which you are signed in' },
      { path: '/oauth/authorized_applications', label: 'Applications', about: 'What you let act for you' },
    ],
  },
  {
    title: 'Your data',
    entries: [
      { path: '/settings/export', label: 'Export', about: 'Lists for other servers, and an archive of all your posts' },
      { path: '/settings/import', label: 'Import', about: 'Bring follows, blocks, lists and bookmarks along' },
    ],
  },
  {
    title: 'Moving and leaving',
    entries: [
      { path: '/settings/aliases', label: 'Aliases', about: 'Accounts of yours elsewhere, needed to move here' },
      { path: '/settings/migration', label: 'Move away', about: 'Take your followers to another account' },
      { path: '/settings/delete', label: 'Delete the account', about: 'Remove everything, for good' },
    ],
  },
]

export type SettingsPage = Omit<FormPage, 'kind'> & {
  /** Which entry of the menu this belongs to. */
  path: string
}

/** Sends a page with the menu beside it. */
export function sendSettingsPage(visit: Visit, { path, body, ...page }: SettingsPage): Promise<FastifyReply> {
  return sendFormPage(visit, {
    ...page,
    kind: 'wide',
    body: (csrf) => html`<div class="settings">
<nav class="settings-menu" aria-label="Settings">${MENU.map(({ title, entries }) => group(title, entries, path))}</nav>
<div>
<p class="settings-back"><a href="/settings">All settings</a></p>
${body(csrf)}
</div>
</div>`,
  })
}

function group(title: string, entries: readonly Entry[], current: string): Html {
  const items = entries.map(({ path, label }) => {
    const mark = path === current ? html` aria-current="page"` : null
    return html`<li><a href="${path}"${mark}>${label}</a></li>`
  })
  return html`<h2>${title}</h2><ul>${items}</ul>`
}

type Handler = (visit: OwnVisit) => Promise<FastifyReply>

/** Shows something to whoever is signed in; all others sign in first and come back. */
export function onGet(app: FastifyInstance, ctx: Context, path: string, show: Handler): void {
  app.get(path, async (request, reply) => {
    const session = await findVisitor(ctx, request)
    if (!session) return reply.redirect(signInLink(request.url))
    return show({ ctx, request, reply, session })
  })
}

/** Takes a form of whoever is signed in, if it was on a page of ours. `back` is where its page is. */
export function onPost(
  app: FastifyInstance,
  ctx: Context,
  path: string,
  { back, files = false }: { back: string; files?: boolean },
  save: Handler,
): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (await findVisitor(ctx, request)) return undefined
    return reply.redirect(signInLink(back), 303)
  }
  app.route({
    method: 'POST',
    url: path,
    config: { files } as object,
    // Before a byte of a file is stored.
    onRequest: refuse,
    async handler(request, reply) {
      const session = await findVisitor(ctx, request)
      if (!session) return reply.redirect(signInLink(back), 303)
      await checkForm(ctx, request)
      return save({ ctx, request, reply, session })
    },
  })
}

const signInLink = (next: string): string => `/auth/sign_in?next=${encodeURIComponent(next)}`
