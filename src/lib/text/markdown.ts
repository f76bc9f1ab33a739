// The documents of administrators are written in Markdown, without HTML.

import { once } from '../concurrency.ts'

// The contents of deeper lists and quotes are left out.
const MAX_NESTING = 20

// Only few pages need it: the server starts without it.
const parser = once(async () => {
  const { default: MarkdownIt } = await import('markdown-it')
  const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: MAX_NESTING })
  // The sanitiser keeps neither.
  markdown.disable(['table', 'image'])
  // As in posts, a link needs a scheme.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  for (const schema of ['ftp:', 'mailto:', '//']) markdown.linkify.add(schema, null)
  return markdown
})

/** HTML that still has to pass the sanitiser, which checks the addresses of links. */
export async function markdownToHtml(text: string): Promise<string> {
  return (await parser()).render(text)
}
