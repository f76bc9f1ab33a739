// /settings/export: what somebody takes along: lists as CSV, an archive of all posts.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { requestArchive } from '../../actions/portability/archive.ts'
import { ARCHIVE_DAYS, listArchives, openArchive, type ArchiveInfo } from '../../domain/portability/archives.ts'
import { countExports, exportCsv, EXPORTS, isExportName, type ExportName } from '../../domain/portability/export.ts'
import { textParam } from '../../html/form-page.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { onGet, onPost, sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { NotFound } from '../../lib/errors.ts'
import { dayOf, momentOf, numberText, sizeText, textsFor } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { isId } from '../../lib/ids.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'

const PATH = '/settings/export'

export function registerExport(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, PATH, (visit) => show(visit))
  onGet(app, ctx, `${PATH}/:file`, sendList)
  onGet(app, ctx, `${PATH}/archives/:id`, sendArchive)
  onPost(app, ctx, `${PATH}/archives`, { back: PATH }, async (visit) => {
    try {
      await requestArchive(ctx, visit.session.accountId)
    } catch (error) {
      return show(
        visit,
        problemsOf(textsFor(visit.request), error, (name) => name),
      )
    }
    return visit.reply.redirect(`${PATH}?notice=asked`, 303)
  })
}

async function sendList({ ctx, request, reply, session }: SettingsVisit): Promise<FastifyReply> {
  const name = (request.params as { file: string }).file.replace(/\.csv$/, '')
  if (!isExportName(name)) throw new NotFound()
  await limitUse(ctx, 'exports', session.userId)
  return reply
    .headers(downloadHeaders(`${name}.csv`, 'text/csv; charset=utf-8'))
    .send(await exportCsv(ctx, session.accountId, name))
}

async function sendArchive({ ctx, request, reply, session }: SettingsVisit): Promise<FastifyReply> {
  const { id } = request.params as { id: string }
  const archive = isId(id) ? await openArchive(ctx, session.accountId, id) : null
  if (!archive) throw new NotFound()
  const name = `archive-${archive.madeAt.toISOString().slice(0, 10)}-${session.username}.tar.gz`
  return reply
    .headers({ ...downloadHeaders(name, 'application/gzip'), 'content-length': String(archive.file.size) })
    .send(archive.file.stream())
}

/** Names are of our own making: letters, digits, underscores, dots. */
const downloadHeaders = (name: string, type: string): Record<string, string> => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${name}"`,
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
})

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { accountId } = visit.session
  const [counts, archives] = await Promise.all([countExports(visit.ctx, accountId), listArchives(visit.ctx, accountId)])
  const isAsked = textParam(visit.request.query, 'notice') === 'asked'
  return sendSettingsPage(visit, {
    title: 'Export',
    path: PATH,
    status: problems === noProblems ? 200 : 422,
    ...(isAsked ? { notice: { text: 'Your archive is being made. Come back in a while.' } } : {}),
    body: (csrf) => html`${problems.summary}
<h1>Export</h1>
<section class="card"><h2>Lists</h2>
<p>As CSV files, which this and most other servers can import.</p>
<ul class="rows">${(Object.keys(EXPORTS) as ExportName[]).map(
      (name) => html`<li><div><p><strong>${EXPORTS[name].label}</strong></p>
<p class="muted">${numberText(t, counts[name])} ${counts[name] === 1 ? 'entry' : 'entries'}</p></div>
<a class="button secondary" href="${PATH}/${name}.csv" download>Download<span class="visually-hidden"> ${EXPORTS[name].label.toLowerCase()}</span></a></li>`,
    )}</ul>
</section>
<section class="card"><h2>Archive</h2>
<p>All your posts with their media, your profile, favourites and bookmarks, as one file. You can have one made every ${ARCHIVE_DAYS} days; it is kept as long.</p>
${archives.length > 0 && html`<ul class="rows">${archives.map((archive) => archiveRow(t, archive))}</ul>`}
${
  isDue(archives) &&
  html`<form method="post" action="${PATH}/archives">${csrf}<div class="actions"><button>Make an archive</button></div></form>`
}
</section>`,
  })
}

const isDue = (archives: readonly ArchiveInfo[]): boolean =>
  !archives.some(
    ({ state, created_at }) => state !== 'failed' && created_at.getTime() > Date.now() - ARCHIVE_DAYS * 86_400_000,
  )

function archiveRow(t: Texts, { id, state, done, total, file_size, created_at, finished_at }: ArchiveInfo): Html {
  if (state === 'working')
    return html`<li><div><p><strong>Being made</strong>, asked for on ${momentOf(t, created_at)}</p>
<progress value="${done}" max="${Math.max(total, 1)}" aria-label="Progress of the archive"></progress>
<p class="muted">${numberText(t, done)} of ${numberText(t, total)} posts and media</p></div>
<a class="button secondary" href="${PATH}">Look again</a></li>`
  if (state === 'failed')
    return html`<li><div><p><strong>Failed</strong></p><p class="muted">The archive asked for on ${momentOf(t, created_at)} could not be made. Try again.</p></div></li>`
  const until = new Date((finished_at ?? created_at).getTime() + ARCHIVE_DAYS * 86_400_000)
  return html`<li><div><p><strong>Archive of ${dayOf(t, created_at)}</strong></p>
<p class="muted">${sizeText(t, Number(file_size))}, kept until ${dayOf(t, until)}</p></div>
<a class="button" href="${PATH}/archives/${id}" download>Download<span class="visually-hidden"> the archive</span></a></li>`
}
