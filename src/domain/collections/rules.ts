import { invalidFields, type ErrorDetail, type ErrorDetails } from '../../lib/errors.ts'
import { isTooLong } from '../../lib/text/count.ts'
import { message, type Text } from '../../messages/message.ts'
import { isTagName } from '../../lib/text/tags.ts'

const NAME_LIMIT = 40
const DESCRIPTION_LIMIT = 100
/** So many accounts are in a collection at most. */
export const MAX_ITEMS = 25

/** What a collection is made or changed with. Absent members stay as they are; an empty language or hashtag takes it away. */
export type CollectionChanges = {
  name?: string | undefined
  description?: string | undefined
  language?: string | null | undefined
  tag_name?: string | null | undefined
  sensitive?: boolean | undefined
  discoverable?: boolean | undefined
}

/** The changes as they are stored: trimmed, null for what is taken away. Throws Invalid with `details` that name every problem. */
export function checkCollection(changes: CollectionChanges): CollectionChanges {
  const problems: ErrorDetails = {}
  const complain = (field: string, error: ErrorDetail['error'], description: Text): void =>
    void (problems[field] ??= []).push({ error, description })
  const tooLong = (field: string, max: number): void =>
    complain(field, 'ERR_TOO_LONG', message('too_long', { count: max }))
  const clean = { ...changes }

  if (changes.name !== undefined) {
    clean.name = changes.name.trim()
    if (clean.name === '') complain('name', 'ERR_BLANK', message('blank'))
    if (isTooLong(clean.name, NAME_LIMIT)) tooLong('name', NAME_LIMIT)
  }
  if (changes.description !== undefined) {
    clean.description = changes.description.trim()
    if (isTooLong(clean.description, DESCRIPTION_LIMIT)) tooLong('description', DESCRIPTION_LIMIT)
  }
  if (changes.language !== undefined) {
    clean.language = changes.language?.trim() || null
    if (clean.language !== null && !/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(clean.language))
      complain('language', 'ERR_INVALID', message('invalid'))
  }
  if (changes.tag_name !== undefined) {
    clean.tag_name = changes.tag_name?.trim().replace(/^[#＃]/, '') || null
    if (clean.tag_name !== null && !isTagName(clean.tag_name)) complain('tag_name', 'ERR_INVALID', message('invalid'))
  }
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
  return clean
}
