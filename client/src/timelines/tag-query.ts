// Which posts a hashtag's timeline shows. The address has it all, so that it can be shared, reloaded and pinned as a column.
import { isTagName, normaliseTag } from '../../../src/lib/text/tags.ts'
import type { Status } from '../api/entities.ts'
import { tagPath } from '../ui/tag-path.ts'

export const TAG_LISTS = ['any', 'all', 'none'] as const

/** Posts have `tag` or one of `any`, all of `all`, and none of `none`. */
export type TagQuery = { tag: string; local: boolean; onlyMedia: boolean } & Record<
  (typeof TAG_LISTS)[number],
  readonly string[]
>

/** Hashtags of each list. The server uses no more. */
export const MOST_TAGS = 4

/** As people type them: between spaces or commas, with or without `#`. */
export function namesIn(text: string): string[] {
  const names = text.split(/[\s,،、]+/).map((name) => name.replace(/^[#＃]/, ''))
  return [...new Map(names.filter(Boolean).map((name) => [normaliseTag(name), name])).values()]
}

export function tagQueryOf(tag: string, query: Readonly<Record<string, string>>): TagQuery {
  const listOf = (name: string): string[] =>
    namesIn(query[name] ?? '')
      .filter(isTagName)
      .slice(0, MOST_TAGS)
  return {
    tag,
    any: listOf('any'),
    all: listOf('all'),
    none: listOf('none'),
    local: query['local'] === 'true',
    onlyMedia: query['only_media'] === 'true',
  }
}

export function tagQueryPath({ tag, local, onlyMedia, ...lists }: TagQuery): string {
  const query = new URLSearchParams()
  for (const list of TAG_LISTS) if (lists[list].length > 0) query.set(list, lists[list].join(','))
  if (local) query.set('local', 'true')
  if (onlyMedia) query.set('only_media', 'true')
  return `${tagPath(tag)}${query.size > 0 ? `?${query}` : ''}`
}

/** What the streams of the hashtags bring beyond what the timeline shows. */
export function isUnwanted({ all, none, onlyMedia }: TagQuery, { tags, media_attachments: media }: Status): boolean {
  const names = new Set(tags.map(({ name }) => normaliseTag(name)))
  const has = (name: string): boolean => names.has(normaliseTag(name))
  return !all.every(has) || none.some(has) || (onlyMedia && media.length === 0)
}
