import { isIP } from 'node:net'

/** An address as PostgreSQL's inet takes it; null for what a proxy may write in its place ("unknown", a port, nothing). */
export function storableIp(text: string | null | undefined): string | null {
  const address = (text ?? '').split('%', 1)[0] ?? ''
  return isIP(address) === 0 ? null : address
}
