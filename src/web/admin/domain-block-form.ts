// The fields of a domain block.
import { BLOCK_SEVERITIES, type BlockDraft, MAX_BLOCK_COMMENT } from '../../domain/moderation/domain-blocks.ts'
import { textParam } from '../../html/form-page.ts'
import { checkbox, field, radioGroup } from '../../html/forms.ts'
import { Invalid } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import { message } from '../../messages/message.ts'
import type { Texts } from '../../messages/pages.ts'
import type { FormProblems } from '../form-problems.ts'
import type { HiddenValues } from './forms.ts'

/** `draft`: what was stored or sent; null for a new block. */
export function blockFields(t: Texts, draft: BlockDraft | null, problems: FormProblems): Html {
  const texts = t.admin.federation
  return html`${radioGroup({
    legend: texts.severity,
    name: 'severity',
    value: draft?.severity ?? 'suspend',
    options: BLOCK_SEVERITIES.toReversed().map((value) => ({
      value,
      label: texts.severities[value],
      hint: texts.severity_hints[value],
    })),
  })}
${checkbox({ label: texts.reject_media, name: 'reject_media', checked: draft?.reject_media ?? false, hint: texts.reject_media_hint })}
${checkbox({ label: texts.reject_reports, name: 'reject_reports', checked: draft?.reject_reports ?? false, hint: texts.reject_reports_hint })}
${checkbox({ label: texts.obfuscate, name: 'obfuscate', checked: draft?.obfuscate ?? false, hint: texts.obfuscate_hint })}
${field(t, { label: texts.public_comment, name: 'public_comment', type: 'textarea', value: draft?.public_comment ?? '', hint: texts.public_comment_hint, maxLength: MAX_BLOCK_COMMENT, error: problems.of('public_comment') })}
${field(t, { label: texts.private_comment, name: 'private_comment', type: 'textarea', value: draft?.private_comment ?? '', maxLength: MAX_BLOCK_COMMENT, error: problems.of('private_comment') })}`
}

/** Throws Invalid without a severity: another one than was meant could end a suspension. */
export function draftFromForm(body: unknown, domain: string): BlockDraft {
  const severity = BLOCK_SEVERITIES.find((each) => each === textParam(body, 'severity'))
  if (severity === undefined) throw new Invalid(message('parameters_invalid'))
  const isSet = (name: string): boolean => textParam(body, name) === '1'
  const comment = (name: string): string | null => textParam(body, name).trim() || null
  return {
    domain,
    severity,
    reject_media: isSet('reject_media'),
    reject_reports: isSet('reject_reports'),
    obfuscate: isSet('obfuscate'),
    public_comment: comment('public_comment'),
    private_comment: comment('private_comment'),
  }
}

/** The hidden fields with which the confirmation sends the block again. */
export const hiddenBlock = (draft: BlockDraft): HiddenValues => ({
  domain: draft.domain,
  severity: draft.severity,
  reject_media: draft.reject_media ? '1' : null,
  reject_reports: draft.reject_reports ? '1' : null,
  obfuscate: draft.obfuscate ? '1' : null,
  public_comment: draft.public_comment,
  private_comment: draft.private_comment,
})
