// The frame of every server-rendered page, and its headers. Pages work without JavaScript, and most forbid it.

import { html } from '../lib/html.ts'
import type { Html } from '../lib/html.ts'
import type { SiteLook } from '../domain/server/site-uploads.ts'
import type { Texts } from '../messages/pages.ts'
import { stylesheetPath } from './assets.ts'
import { fillText } from './texts.ts'
import { themeTags, type Theme } from './theme.ts'

export type PageLink = { href: string; label: string; current?: boolean }

export type HtmlPage = {
  title: string
  instanceName: string
  body: Html
  head?: Html
  /** The path of a script. The headers have to allow it. */
  script?: string
  nav?: readonly PageLink[]
  /** With `signOut`, the header has a button that posts the token to `action`. */
  user?: {
    username: string
    url: string
    avatarUrl: string
    /** Staff have a link to the administration. */
    isStaff?: boolean
    signOut?: { action: string; csrfToken: string }
  }
  texts: Texts
  /** A message about the previous action. Screen readers read errors out at once. */
  notice?: { text: string; kind?: 'success' | 'info' | 'error' }
  /** `narrow` for single forms, `wide` for tables; otherwise a column to read. */
  kind?: 'narrow' | 'wide'
  /** Where the software's source is available (AGPL); linked from the footer. */
  sourceUrl?: string
  /** Whether the footer links to the terms of service. */
  hasTerms?: boolean
  noindex?: boolean
  /** The appearance that administrators have chosen. */
  look?: SiteLook
  /** As chosen on this device; the system's otherwise. */
  theme?: Theme | null
  /** Leads to the web client from browsers that left it. */
  clientUrl?: string
}

export function renderPage(page: HtmlPage): string {
  const title = page.title === page.instanceName ? page.title : `${page.title} · ${page.instanceName}`
  return String(html`<!doctype html>
<html lang="${page.texts.language}"${page.texts.direction === 'rtl' && html` dir="rtl"`}${page.theme && html` data-theme="${page.theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${themeTags(page.theme ?? null)}
${page.noindex && html`<meta name="robots" content="noindex, noarchive">`}
<title>${title}</title>
<link rel="stylesheet" href="${stylesheetPath}">
${page.look?.stylesheet && html`<link rel="stylesheet" href="${page.look.stylesheet}">`}
${page.look?.icon ? html`<link rel="icon" href="${page.look.icon}" type="image/png">` : html`<link rel="icon" href="/assets/logo.svg" type="image/svg+xml">`}
<link rel="apple-touch-icon" href="${page.look?.touchIcon ?? '/assets/icon.png'}">
${page.script && html`<script type="module" src="${page.script}"></script>`}
${page.head}
</head>
<body>
<a class="skip-link" href="#main">${page.texts.layout.skip}</a>
${header(page)}
<main id="main" tabindex="-1" class="${page.kind ?? 'reading'}">
${page.notice && notice(page.notice)}
${page.body}
</main>
${footer(page)}
</body>
</html>
`)
}

function header({ instanceName, nav = [], user, texts, look }: HtmlPage): Html {
  const links = nav.map(({ href, label, current }) => {
    return html`<a href="${href}"${current && html` aria-current="page"`}>${label}</a>\n`
  })
  return html`<header class="site-header">
<a class="site-name" href="/"><img src="${look?.icon ?? '/assets/logo.svg'}" alt="" width="32" height="32"> <span>${instanceName}</span></a>
${(links.length > 0 || user) && html`<nav class="site-nav" aria-label="${texts.layout.site}">${links}${user && userLinks(user, texts)}</nav>`}
</header>`
}

function userLinks(
  { username, url, avatarUrl, isStaff = false, signOut }: NonNullable<HtmlPage['user']>,
  { layout, admin }: Texts,
): Html {
  const profile = html`${isStaff && signOut && html`<a href="/admin">${admin.frame.title}</a>\n`}<a href="${url}"><img src="${avatarUrl}" alt="" width="28" height="28"> <bdi>@${username}</bdi></a>`
  if (!signOut) return profile
  const form = html`<form method="post" action="${signOut.action}">${csrfField(signOut.csrfToken)}<button>${layout.sign_out}</button></form>`
  return html`${profile}\n${form}`
}

function notice({ text, kind = 'success' }: NonNullable<HtmlPage['notice']>): Html {
  return html`<p class="notice ${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${text}</p>`
}

function footer({ sourceUrl, hasTerms, clientUrl, texts: { layout, client } }: HtmlPage): Html {
  const software = sourceUrl ? html`<a href="${sourceUrl}">Rookery</a>` : 'Rookery'
  return html`<footer class="site-footer"><a href="/about">${layout.about}</a>
${hasTerms && html`<a href="/terms-of-service">${layout.terms}</a>\n`}${clientUrl && html`<a href="${clientUrl}">${client.open}</a>\n`}<span>${fillText(layout.powered_by, { software })}</span></footer>`
}

/** The hidden input that proves that a form was on a page of this server. */
export function csrfField(token: string): Html {
  return html`<input type="hidden" name="csrf_token" value="${token}">`
}

export type PageHeaderOptions = {
  /** Whether the server's own address is https; if not, media may come over http as well. */
  https: boolean
  /**
   * Where forms may lead, as CSP sources; `'self'` unless given. Browsers apply it to the redirects after a form too. The consent
   * page redirects to any application, so it passes null: no restriction.
   */
  formAction?: string | null
}

/**
 * Headers for HTML pages. No Cross-Origin-Opener-Policy: clients open the OAuth pages in a window and wait for it.
 * The caller adds the caching headers.
 */
export function pageHeaders({ https, formAction = "'self'" }: PageHeaderOptions): Record<string, string> {
  const media = https ? "'self' data: https:" : "'self' data: https: http:"
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    ...(formAction === null ? [] : [`form-action ${formAction}`]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}
