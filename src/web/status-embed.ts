// A post on its own, for frames on other sites.

import type { Context } from '../context.ts'
import type { Status } from '../entities/status.ts'
import { stylesheetPath } from '../html/assets.ts'
import { pageHeaders } from '../html/page.ts'
import { html } from '../lib/html.ts'
import { statusTitle } from './open-graph.ts'
import { renderStatus } from './status-article.ts'

/** As of every page, except that any site may show this one in a frame. */
export function embedHeaders(ctx: Context): Record<string, string> {
  const { 'x-frame-options': _denied, ...headers } = pageHeaders({ https: ctx.config.https })
  const policy = headers['content-security-policy'] as string
  return { ...headers, 'content-security-policy': policy.replace("frame-ancestors 'none'", 'frame-ancestors *') }
}

/** The document inside of the frame. Its links open outside of it. */
export function renderEmbed(ctx: Context, siteName: string, status: Status): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${statusTitle(ctx, status)} · ${siteName}</title>
<base target="_blank">
<link rel="canonical" href="${status.url ?? status.uri}">
<link rel="stylesheet" href="${stylesheetPath}">
</head>
<body class="embed">
<main>
${renderStatus(ctx, status, { main: true })}
<p class="embed-source"><img src="/assets/logo.svg" alt="" width="20" height="20"> <a href="${status.url ?? status.uri}">See it on ${siteName}</a></p>
</main>
</body>
</html>
`)
}
