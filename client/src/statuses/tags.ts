// Hashtags at the end of a post, which stand in a row of their own below it.
import type { Status } from '../api/entities.ts'

export type SplitTags = { html: string; tags: string[] }

/** A last paragraph longer than this is text. In characters of HTML. */
const LIMIT = 6000

/** Removes a last paragraph of hashtags alone from the text, and adds the status's tags that the text does not have. */
export function splitTags({ content, tags }: Pick<Status, 'content' | 'tags'>): SplitTags {
  if (tags.length === 0) return { html: content, tags: [] }
  const start = content.lastIndexOf('<p>')
  const last = start > 0 && content.length - start < LIMIT ? tagsOnly(content.slice(start)) : null
  const lower = content.toLowerCase()
  const unseen = tags.map(({ name }) => name).filter((name) => !lower.includes(`${name.toLowerCase()}<`))
  return {
    html: last ? content.slice(0, start) : content,
    tags: [...new Map([...(last ?? []), ...unseen].map((name) => [name.toLowerCase(), name])).values()],
  }
}

/** The hashtags of a paragraph; null when it has other text. */
function tagsOnly(html: string): string[] | null {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const names = [...body.querySelectorAll('a.hashtag, a[rel~=tag]')].map((link) => link.textContent.replace(/^#/, ''))
  const rest = names.reduce((text, name) => text.replace(`#${name}`, ''), body.textContent)
  return names.length > 0 && rest.trim() === '' ? names : null
}
