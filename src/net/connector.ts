import { lookup as systemLookup } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { getCACertificates } from 'node:tls'
import { buildConnector } from 'undici'
import type { AddressPolicy } from './addresses.ts'
import { plainHttpError, privateAddressError } from './fetch-error.ts'

const CONNECT_MS = 5_000

export type ConnectorOptions = {
  policy: AddressPolicy
  /** Allows plain http to any public host; otherwise only to addresses on the allow list. */
  allowHttp: boolean
  /** PEM, in addition to those of Node and NODE_EXTRA_CA_CERTS. */
  caCertificates?: readonly string[]
  lookup?: LookupFunction
}

/** Checks the addresses that the socket connects to, so that DNS cannot change between check and connection. */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { policy } = options
  const secure = guarded((address) => policy.allows(address), options)
  const plain = options.allowHttp ? secure : guarded((address) => policy.isListed(address), options)

  return (target, callback) => {
    const isAllowed = target.protocol === 'https:' || options.allowHttp ? policy.allows : policy.isListed
    // net.connect does not call `lookup` for an IP literal.
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname)) {
      const errorOf = policy.allows(target.hostname) ? plainHttpError : privateAddressError
      callback(errorOf(target.hostname), null)
      return
    }
    const connect = target.protocol === 'https:' ? secure : plain
    connect(target, (...[error, socket]) => {
      if (error !== null) callback(error, null)
      else if (isAllowed(socket.remoteAddress ?? '')) callback(null, socket)
      else {
        socket.destroy()
        callback(privateAddressError(target.hostname), null)
      }
    })
  }
}

function guarded(isAllowed: (address: string) => boolean, options: ConnectorOptions): buildConnector.connector {
  const resolve = options.lookup ?? systemLookup
  const lookup: LookupFunction = (hostname, lookupOptions, callback) => {
    resolve(hostname, { ...lookupOptions, all: true }, (error, answer, family) => {
      if (error) return callback(error, '', 0)
      const found: LookupAddress[] = typeof answer === 'string' ? [{ address: answer, family: family ?? 4 }] : answer
      const allowed = found.filter(({ address }) => isAllowed(address))
      if (allowed.length === 0) {
        const isPublic = found.some(({ address }) => options.policy.allows(address))
        return callback(isPublic ? plainHttpError(hostname) : privateAddressError(hostname), '', 0)
      }
      if (lookupOptions.all) callback(null, allowed)
      else callback(null, allowed[0]!.address, allowed[0]!.family)
    })
  }
  const extra = options.caCertificates ?? []
  return buildConnector({
    allowH2: false,
    timeout: CONNECT_MS,
    lookup,
    ...(extra.length > 0 ? { ca: [...getCACertificates('default'), ...extra] } : {}),
  })
}
