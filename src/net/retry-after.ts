/** Seconds, by RFC 9110, 10.2.3: a number or a date. 0 without the header, when it is invalid, and for a time that has passed. */
export function retryAfter(headers: Readonly<Record<string, string>>): number {
  const value = headers['retry-after'] ?? ''
  if (/^\d{1,6}$/.test(value)) return Number(value)
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1000)
  return /^[A-Z][a-z]{2}, /.test(value) && seconds > 0 ? seconds : 0
}
