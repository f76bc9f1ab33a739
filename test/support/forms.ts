import { escapeHtml } from '../../src/lib/html.ts'
import type { Answer, Person, TestServer } from './server.ts'

/** A form as a browser without scripts sees it: its target, and the fields that it sends unchanged. */
export type Form = { action: string; method: string; multipart: boolean; fields: Record<string, string> }

export type Page = Answer & {
  /** The path after all redirects, or the URL on another server that a redirect leads to. */
  location: string
  forms: Form[]
}

/** A browser without scripts: stores cookies, follows redirects on the same server, fills in forms. */
export type Browser = {
  get(path: string): Promise<Page>
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Page>
  /** Submits the first form by default. */
  submit(page: Page, fields?: Record<string, string | File>, which?: { action?: string; index?: number }): Promise<Page>
  signIn(login: string, password: string): Promise<Page>
  cookies: Map<string, string>
}

/** The header that a browser sends. */
export const cookieOf = ({ cookies }: Pick<Browser, 'cookies'>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

export function browser(server: TestServer): Browser {
  const cookies = new Map<string, string>()
  const load = async (
    method: string,
    path: string,
    form?: Record<string, string> | FormData,
    headers: Record<string, string> = {},
  ): Promise<Page> => {
    const cookie = cookieOf({ cookies })
    const answer = await server.send(method, path, {
      headers: { accept: 'text/html', ...(cookie ? { cookie } : {}), ...headers },
      ...(form ? { form } : {}),
    })
    keep(cookies, answer.headers)
    checkSummary(answer, path)
    const location = answer.headers.get('location') ?? refreshIn(answer.headers)
    if (location === null) return { ...answer, location: path, forms: formsIn(answer.text) }
    if (!location.startsWith('/') || location.startsWith('//')) return { ...answer, location, forms: [] }
    return load('GET', location)
  }
  const self: Browser = {
    cookies,
    get: (path) => load('GET', path),
    post: (path, fields, headers) => load('POST', path, fields, headers),
    submit(page, fields = {}, { action, index = 0 } = {}) {
      const form = page.forms.filter((candidate) => action === undefined || candidate.action === action)[index]
      if (!form) throw new Error(`no such form on ${page.location}: ${page.text}`)
      const all = { ...form.fields, ...fields }
      if (form.multipart) return load(form.method, form.action, formData(all))
      return load(form.method, form.action, all as Record<string, string>)
    },
    async signIn(login, password) {
      return self.submit(
        await self.get('/auth/sign_in'),
        { 'user[email]': login, 'user[password]': password },
        { action: '/auth/sign_in' },
      )
    },
  }
  return self
}

/** A browser in which the person has signed in. */
export async function signedIn(
  server: TestServer,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<Browser> {
  const tab = browser(server)
  await tab.signIn(email, password)
  return tab
}

/** Each link of a summary of problems must lead to a field. */
function checkSummary({ text }: Answer, path: string): void {
  const summary = /<div class="error-summary"[^]*?<\/div>/.exec(text)?.[0] ?? ''
  for (const [, id] of summary.matchAll(/href="#([^"]*)"/g))
    if (!text.includes(` id="${id}"`)) throw new Error(`${path}: a problem leads to #${id}, which is not on the page`)
}

function keep(cookies: Map<string, string>, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    if (attributes.includes('Max-Age=0')) cookies.delete(name)
    else cookies.set(name, value)
  }
}

const refreshIn = (headers: Headers): string | null => /^0;url=(.*)$/.exec(headers.get('refresh') ?? '')?.[1] ?? null

function formData(fields: Record<string, string | File>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

function formsIn(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', body = '']) => {
    const fields = [...body.matchAll(/<input\b([^>]*)>/g)].flatMap(([, input = '']): [string, string][] => {
      const name = attribute(input, 'name')
      const isOff = /type="(checkbox|radio)"/.test(input) && !/ checked/.test(input)
      const isFile = input.includes('type="file"')
      return name === null || isOff || isFile ? [] : [[name, attribute(input, 'value') ?? '']]
    })
    for (const [, tag = '', text = ''] of body.matchAll(/<textarea\b([^>]*)>\n?([\s\S]*?)<\/textarea>/g))
      fields.push([attribute(tag, 'name') ?? '', unescapeHtml(text)])
    for (const [, tag = '', options = ''] of body.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)) {
      const chosen = /<option ([^>]*) selected>/.exec(options) ?? /<option ([^>]*)>/.exec(options)
      fields.push([attribute(tag, 'name') ?? '', attribute(` ${chosen?.[1] ?? ''}`, 'value') ?? ''])
    }
    return {
      action: attribute(head, 'action') ?? '',
      method: (attribute(head, 'method') ?? 'get').toUpperCase(),
      multipart: head.includes('multipart/form-data'),
      fields: Object.fromEntries(fields),
    }
  })
}

function attribute(tag: string, name: string): string | null {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? null : unescapeHtml(value)
}

function unescapeHtml(text: string): string {
  return [...`<>"'&`].reduce((plain, character) => plain.replaceAll(escapeHtml(character), character), text)
}

/** The settings that a user without second factors can open. */
export const SETTINGS_PATHS = [
  '/settings',
  '/settings/profile',
  '/settings/preferences',
  '/auth/edit',
  '/settings/two_factor',
  '/settings/two_factor/app',
  '/settings/two_factor/passkeys/new',
  '/settings/sessions',
  '/oauth/authorized_applications',
  '/settings/applications',
  '/relationships',
  '/settings/export',
  '/settings/import',
  '/statuses_cleanup',
  '/settings/aliases',
  '/settings/migration',
  '/settings/delete',
]
