import type { FastifyReply } from 'fastify'
import { requestArchive } from '../../actions/portability/archive.ts'
import { ARCHIVE_DAYS, listArchives, openArchive, type ArchiveInfo } from '../../domain/portability/archives.ts'
import { getSettings } from '../../domain/server/settings.ts'
import {
  countExports,
  exportExtension,
  exportText,
  EXPORTS,
  isExportName,
  type ExportName,
} from '../../domain/portability/export.ts'
import { pathId } from '../../html/form-page.ts'
import { dayOf, fillText, momentOf, sizeText } from '../../html/texts.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { addDays, daysAgo, isoDay } from '../../lib/dates.ts'
import { NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { downloadHeaders, sendCsv, sendJson } from '../downloads.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'

const PATH = '/settings/export'

/** The keys of the texts: exports and imports have different names. */
const LISTS: Record<ExportName, keyof Texts['settings']['lists']> = {
  following_accounts: 'following',
  lists: 'lists',
  blocked_accounts: 'blocking',
  muted_accounts: 'muting',
  blocked_domains: 'domain_blocking',
  bookmarks: 'bookmarks',
  custom_filters: 'filters',
}

export const exportPage: SettingsPage = {
  key: 'export',
  path: PATH,
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.get(`${PATH}/:file`, sendList)
    router.get(`${PATH}/archives/:id`, sendArchive)
    router.post(`${PATH}/archives`, archive)
  },
}

async function archive(visit: SettingsVisit): Promise<FastifyReply> {
  try {
    await requestArchive(visit.ctx, visit.session.accountId)
  } catch (error) {
    return show(visit, problemsOf(visit.t, error))
  }
  return visit.reply.redirect(`${PATH}?notice=requested`, 303)
}

async function sendList({ ctx, request, reply, session }: SettingsVisit): Promise<FastifyReply> {
  const name = (request.params as { file: string }).file.replace(/\.(csv|json)$/, '')
  if (!isExportName(name)) throw new NotFound()
  await limitUse(ctx, 'exports', session.userId)
  const text = await exportText(ctx, session.accountId, name)
  return exportExtension(name) === 'json' ? sendJson(reply, name, text) : sendCsv(reply, name, text)
}

async function sendArchive(visit: SettingsVisit): Promise<FastifyReply> {
  const { ctx, reply, session } = visit
  const found = await openArchive(ctx, session.accountId, pathId(visit))
  if (!found) throw new NotFound()
  const name = `archive-${isoDay(found.madeAt)}-${session.username}.tar.gz`
  return reply
    .headers({ ...downloadHeaders(name, 'application/gzip'), 'content-length': String(found.file.size) })
    .send(found.file.stream())
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, ctx, session } = visit
  const texts = t.settings.export
  const [counts, archives, { backups_retention_period: days }] = await Promise.all([
    countExports(ctx, session.accountId),
    listArchives(ctx, session.accountId),
    getSettings(ctx),
  ])
  const lists = EXPORTS.map(
    (name) => html`<li><div><p><strong>${t.settings.lists[LISTS[name]]}</strong></p>
<p class="muted">${texts.entries({ count: counts[name] })}</p></div>
<a class="button secondary" href="${PATH}/${name}.${exportExtension(name)}" download>${texts.download}<span class="visually-hidden"> ${t.settings.lists[LISTS[name]]}</span></a></li>`,
  )
  return sendSettingsPage(visit, {
    problems,
    notices: texts.notices,
    body: (csrf) => html`<section class="card"><h2>${texts.lists}</h2>
<p>${texts.lists_hint}</p>
<ul class="rows exports">${lists}</ul>
</section>
<section class="card"><h2>${texts.archive}</h2>
<p>${texts.archive_hint({ every: ARCHIVE_DAYS, available: days })}</p>
${archives.length > 0 && html`<ul class="rows">${archives.map((entry) => archiveRow(t, entry, days))}</ul>`}
${
  isDue(archives) &&
  html`<form method="post" action="${PATH}/archives">${csrf}<div class="actions"><button>${texts.request_archive}</button></div></form>`
}
</section>`,
  })
}

const isDue = (archives: readonly ArchiveInfo[]): boolean =>
  !archives.some(({ state, created_at }) => state !== 'failed' && created_at > daysAgo(ARCHIVE_DAYS))

function archiveRow(t: Texts, entry: ArchiveInfo, days: number): Html {
  const { id, state, done, total, file_size, created_at, finished_at } = entry
  const texts = t.settings.export
  const requested = fillText(texts.requested, { moment: momentOf(t, created_at) })
  if (state === 'working')
    return html`<li><div><p><strong>${texts.working}</strong></p><p class="muted">${requested}</p>
<progress value="${done}" max="${Math.max(total, 1)}" aria-label="${texts.progress}"></progress>
<p class="muted">${texts.done({ done, count: total })}</p></div>
<a class="button secondary" href="${PATH}">${t.settings.refresh}</a></li>`
  if (state === 'failed')
    return html`<li><div><p><strong>${texts.failed}</strong></p><p class="muted">${requested}</p></div></li>`
  const until = dayOf(t, addDays(finished_at ?? created_at, days))
  return html`<li><div><p><strong>${fillText(texts.archive_of, { day: dayOf(t, created_at) })}</strong></p>
<p class="muted">${fillText(texts.available, { size: sizeText(t, Number(file_size)), until })}</p></div>
<a class="button" href="${PATH}/archives/${id}" download>${texts.download}<span class="visually-hidden"> ${texts.archive}</span></a></li>`
}
