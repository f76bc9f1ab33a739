import { colonOf } from './colon.ts'

/** `warning`: the content warning, behind which there is nothing else. `description`: null for sensitive media. */
export type MailedPost = {
  link: string
  warning: string
  text: string
  media: { kind: MediaKind; description: string | null }[]
  /** Of its poll. */
  options: string[]
}

type MediaKind = 'image' | 'gifv' | 'video' | 'audio' | 'unknown'

type Words = Record<MediaKind, string> & { warning: string; sensitive: string; poll: string }

/** A post as paragraphs of plain text. */
export function postLines(
  { link, warning, text, media, options }: MailedPost,
  words: Words,
  language: string,
): string[] {
  const colon = colonOf(language)
  const attached = media.map(({ kind, description }) => {
    const remark = description ?? words.sensitive
    return remark === '' ? `[${words[kind]}]` : `[${words[kind]}${colon}${remark}]`
  })
  const paragraphs = [
    warning && `${words.warning}${colon}${warning}`,
    text,
    attached.join('\n'),
    options.length > 0 ? [`${words.poll}${colon.trimEnd()}`, ...options.map((option) => `• ${option}`)].join('\n') : '',
    link,
    '* * *',
  ]
  return paragraphs.filter((paragraph) => paragraph !== '')
}
