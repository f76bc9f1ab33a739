// The theme that was chosen in the web client on this device.
import type { FastifyRequest } from 'fastify'
import { html, type Html } from '../lib/html.ts'

export type Theme = 'light' | 'dark'

/** The client sets it, so that the first paint has the chosen colours. */
const COOKIE = /(?:^|;\s*)rookery_theme=(light|dark)(?:;|$)/

/** Null: the system's. */
export const themeOf = (request: FastifyRequest): Theme | null =>
  (COOKIE.exec(request.headers.cookie ?? '')?.[1] as Theme | undefined) ?? null

/** The colour `--paper` of the styles. */
export const THEME_COLORS = { light: '#f6f4ef', dark: '#14131a' } as const

/** For the head. The client changes `media` when another theme is chosen. */
export const themeTags = (
  theme: Theme | null,
): Html => html`<meta name="color-scheme" content="${theme ?? 'light dark'}">
${(['light', 'dark'] as const).map((each) => {
  const media = theme === null ? `(prefers-color-scheme: ${each})` : theme === each ? 'all' : 'not all'
  return html`<meta name="theme-color" data-for="${each}" media="${media}" content="${THEME_COLORS[each]}">`
})}`
