import { normaliseDomain } from '../../ap/handle.ts'
import { invalidFields, problemsWithoutField, type ErrorDetail, type Invalid } from '../../lib/errors.ts'
import { cutText, isTooLong, isTooLongStatus } from '../../lib/text/count.ts'
import { message, type Text } from '../../messages/message.ts'
import { PROFILE_IMAGE_SIZE_LIMIT } from '../media/types.ts'
import { profileAttributeList, type ProfileChanges } from './profile-attributes.ts'

export const NOTE_LIMIT = 500
export const MAX_FIELDS = 4
/** Characters of a profile field's name, and of its value. */
export const FIELD_LIMIT = 255

type Problems = Record<string, ErrorDetail[]>

/** Trims the changes and removes empty profile fields. Throws Invalid with `details` that name every problem. */
export function checkProfile(changes: ProfileChanges): ProfileChanges {
  const problems: Problems = {}
  const complain = (field: string, error: ErrorDetail['error'], description: Text): void =>
    void (problems[field] ??= []).push({ error, description })
  const tooLong = (field: string, max: number): void =>
    complain(field, 'ERR_TOO_LONG', message('too_long', { count: max }))
  const clean = cleaned(changes)

  for (const [name, { limit }] of profileAttributeList) {
    const value = clean[name]
    if (limit === undefined || value === undefined) continue
    if (Array.isArray(value) ? value.length > limit : isTooLong(String(value), limit)) tooLong(name, limit)
  }
  if (isTooLongStatus(clean.note ?? '', NOTE_LIMIT))
    complain('note', 'ERR_TOO_LONG', message('character_limit', { count: NOTE_LIMIT }))
  for (const field of ['avatar', 'header'] as const)
    if ((clean[field]?.size ?? 0) > PROFILE_IMAGE_SIZE_LIMIT)
      complain(field, 'ERR_TOO_LONG', message('file_size', { megabytes: PROFILE_IMAGE_SIZE_LIMIT / 1024 ** 2 }))
  const { fields = [], attribution_domains: domains = [] } = clean
  if (fields.length > MAX_FIELDS) tooLong('fields', MAX_FIELDS)
  if (fields.some(({ name, value }) => isTooLong(name, FIELD_LIMIT) || isTooLong(value, FIELD_LIMIT)))
    complain('fields', 'ERR_TOO_LONG', message('field_texts_too_long', { count: FIELD_LIMIT }))
  if (fields.some(({ name }) => name === ''))
    complain('fields', 'ERR_FIELDS_WITH_VALUES_MISSING_LABELS', message('field_labels_missing'))
  for (const domain of domains.filter((name) => normaliseDomain(name) === null))
    complain('attribution_domains', 'ERR_INVALID', message('named_domain_invalid', { domain: cutText(domain, 100) }))

  if (Object.keys(problems).length > 0) throw invalidFields(problems)
  return clean
}

export function profileImageProblem(kind: 'avatar' | 'header', cause: Invalid): Invalid {
  return invalidFields({
    [kind]: problemsWithoutField(cause).map((description) => ({ error: 'ERR_INVALID', description })),
  })
}

function cleaned(changes: ProfileChanges): ProfileChanges {
  const clean = { ...changes }
  for (const field of ['display_name', 'note', 'avatar_description', 'header_description'] as const) {
    const text = clean[field]
    if (text !== undefined) clean[field] = text.trim()
  }
  if (clean.fields)
    clean.fields = clean.fields
      .map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
      .filter(({ name, value }) => name !== '' || value !== '')
  if (clean.attribution_domains) {
    const bare = clean.attribution_domains.map((domain) =>
      domain
        .trim()
        .replace(/^https?:\/\//i, '')
        .replace(/^\*\./, ''),
    )
    clean.attribution_domains = [...new Set(bare.filter(Boolean).map((domain) => normaliseDomain(domain) ?? domain))]
  }
  return clean
}
