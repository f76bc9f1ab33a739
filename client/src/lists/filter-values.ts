// The fields of the form of a filter, and what they change on the server.
import type { Filter } from '../api/entities.ts'

type KeywordValues = { key: string; id: string | null; keyword: string; wholeWord: boolean }

type FilterContext = Filter['context'][number]

export type FilterValues = {
  title: string
  context: Filter['context']
  action: Filter['filter_action']
  /** Seconds from now; null: never; undefined: as it was. */
  expiresIn: number | null | undefined
  keywords: KeywordValues[]
}

export const CONTEXTS = Object.keys({
  home: true,
  notifications: true,
  public: true,
  thread: true,
  account: true,
} satisfies Record<FilterContext, true>) as FilterContext[]

/** It filters nothing, and stays to be used again. */
export const hasExpired = ({ expires_at: end }: Filter): boolean => end !== null && Date.parse(end) < Date.now()

let lastKey = 0

export const newKeyword = (): KeywordValues => ({
  key: `new ${(lastKey += 1)}`,
  id: null,
  keyword: '',
  wholeWord: true,
})

export const fieldsOf = (filter: Filter | null): FilterValues => ({
  title: filter?.title ?? '',
  context: filter?.context ?? [...CONTEXTS],
  action: filter?.filter_action ?? 'warn',
  expiresIn: filter?.expires_at ? undefined : null,
  keywords: filter
    ? (filter.keywords ?? []).map(({ id, keyword, whole_word: wholeWord }) => ({ key: id, id, keyword, wholeWord }))
    : [{ ...newKeyword(), key: 'first' }],
})

/** A filter without a title is named after its first word or phrase. */
export const titleOf = ({ title, keywords }: FilterValues): string =>
  title.trim() || (keywords.find(({ keyword }) => keyword.trim() !== '')?.keyword.trim() ?? '')

export function bodyOf(values: FilterValues, filter: Filter | null) {
  const { context, action, expiresIn, keywords } = values
  const filled = keywords.filter(({ keyword }) => keyword.trim() !== '')
  const stays = new Set(filled.map(({ id }) => id))
  const removed = (filter?.keywords ?? []).filter(({ id }) => !stays.has(id))
  return {
    title: titleOf(values),
    context,
    filter_action: action,
    ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
    keywords_attributes: [
      ...filled.map(({ id, keyword, wholeWord }) => ({
        ...(id === null ? {} : { id }),
        keyword: keyword.trim(),
        whole_word: wholeWord,
      })),
      ...removed.map(({ id }) => ({ id, _destroy: true })),
    ],
  }
}
