// Files with domains that are uploaded, and what is wrong with them.
import { readFile } from 'node:fs/promises'
import { type DomainList, parseDomainList } from '../../domain/moderation/domain-csv.ts'
import { textParam } from '../../html/form-page.ts'
import { numberText, sizeText } from '../../html/texts.ts'
import { isUpload } from '../../http/multipart.ts'
import { Invalid } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import type { AdminVisit } from './frame.ts'
import { dataTable, emptyState } from './kit.ts'

/** In bytes. The confirmation sends the content once more, within the limit of a form. */
export const MAX_FILE_BYTES = 512 * 1024

/** The list in an uploaded file, or in the text that the confirmation sends. Throws Invalid. */
export async function readListFile({ ctx, t, request: { body } }: AdminVisit): Promise<DomainList> {
  const texts = t.admin.federation
  const { file } = (body ?? {}) as Record<string, unknown>
  const typed = textParam(body, 'csv')
  if (typed === '' && !isUpload(file)) throw new Invalid(texts.file_missing)
  if (isUpload(file) && file.size > MAX_FILE_BYTES)
    throw new Invalid(texts.file_too_large({ size: sizeText(t, MAX_FILE_BYTES) }))
  const list = parseDomainList(ctx, isUpload(file) ? await readFile(file.path, 'utf8') : typed)
  if (!list) throw new Invalid(texts.file_malformed)
  if (list.drafts.length === 0) throw new Invalid(texts.file_empty)
  return list
}

export function problemTable(t: Texts, { problems, problemCount }: DomainList): Html | null {
  const texts = t.admin.federation
  if (problemCount === 0) return null
  const table = dataTable(t, {
    caption: texts.skipped({ count: problemCount }),
    rows: problems,
    empty: emptyState({ title: t.admin.frame.none }),
    columns: [
      { label: texts.line, cell: ({ line }) => numberText(t, line), kind: 'number' },
      { label: texts.text, cell: ({ text }) => html`<bdi>${text}</bdi>`, kind: 'main' },
      { label: texts.problem, cell: ({ problem }) => texts.problems[problem] },
    ],
  })
  return html`<h3>${texts.skipped({ count: problemCount })}</h3>${table}`
}
