// Loaded into a server before anything else: resolves names below .test to the address in TEST_NAMES_AT.
import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

const address = process.env.TEST_NAMES_AT ?? ''
const real = dns.lookup

type Callback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

function lookup(host: string, options: LookupOptions | number | Callback, callback?: Callback): void {
  const answer = typeof options === 'function' ? options : callback
  if (!answer || !host.endsWith('.test')) return real(host, options as LookupOptions, callback as never)
  if (typeof options === 'object' && options.all) answer(null, [{ address, family: 4 }])
  else answer(null, address, 4)
}

Object.assign(dns, { lookup })
syncBuiltinESMExports()
