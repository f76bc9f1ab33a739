// Parts that the pages of block lists share.
import { type CountedBlockList, LIST_MODES, MAX_LIST_TITLE } from '../../domain/moderation/block-lists.ts'
import { BLOCK_SEVERITIES } from '../../domain/moderation/domain-blocks.ts'
import { field, radioGroup, select } from '../../html/forms.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import type { FormProblems } from '../form-problems.ts'
import { stateBadge, timeAgo } from './kit.ts'

/** The fields that an administrator can change later. */
export function listFields(
  t: Texts,
  values: { title: string; mode: string; severity: string },
  problems: FormProblems,
): Html {
  const { lists: texts, severities } = t.admin.federation
  return html`${field(t, { label: texts.title, name: 'title', value: values.title, maxLength: MAX_LIST_TITLE, error: problems.of('title') })}
${radioGroup({ legend: texts.mode, name: 'mode', value: values.mode, options: LIST_MODES.toReversed().map((value) => ({ value, label: texts.modes[value], hint: texts.mode_hints[value] })) })}
${select({ label: texts.default_severity, name: 'severity', value: values.severity, options: BLOCK_SEVERITIES.toReversed().map((value) => ({ value, label: severities[value] })) })}`
}

/** When the list was read, and the last error. */
export function readState(t: Texts, { fetched_at, error }: Pick<CountedBlockList, 'fetched_at' | 'error'>): Html {
  const texts = t.admin.federation.lists
  return html`${fetched_at === null ? texts.never : timeAgo(t, fetched_at)}${error !== null && html` ${stateBadge(texts.errors[error], 'bad')}`}`
}
