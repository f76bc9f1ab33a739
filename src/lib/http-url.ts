/** Null unless the text is the URL of a web page or file; `base` resolves a relative one. */
export function httpUrl(text: string, base?: string): URL | null {
  const url = URL.parse(text, base)
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/** As `httpUrl`. Null also with a user name or password, which no link to a page needs. */
export function plainHttpUrl(text: string, base?: string): URL | null {
  const url = httpUrl(text, base)
  return url?.username === '' && url.password === '' ? url : null
}

/**
 * Whether a server can have the host of a URL, which may have a port. Not `,`, `a..b` or `*.example.org`, nor `example.org.`,
 * which is another name of the same server.
 */
export const isServerHost = (host: string): boolean => /^(?:\[.+\]|[\w-]{1,63}(?:\.[\w-]{1,63})*)(?::\d+)?$/.test(host)
