/** Where to go on to: a path on this server with its query, or null for everything else, which may lead anywhere. */
export function localPath(text: string): string | null {
  if (!isPath(text)) return null
  const base = 'http://here.invalid'
  const url = URL.parse(text, base)
  if (url?.origin !== base) return null
  // Parsing drops tabs and dot segments, after which the path may begin like another host's address.
  const path = `${url.pathname}${url.search}${url.hash}`
  return isPath(path) ? path : null
}

const isPath = (text: string): boolean => /^\/(?![/\\])/.test(text)
