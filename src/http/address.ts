import proxyAddr from '@fastify/proxy-addr'
import type { IncomingMessage } from 'node:http'
import { perServer, type Context } from '../context.ts'

const trusted = perServer((ctx) => proxyAddr.compile(ctx.config.trustedProxies))

/** Whose request it is, as Fastify's `request.ip` has it, for upgrades, which never get to be Fastify's: proxies are believed where they are trusted. */
export function addressOf(ctx: Context, request: IncomingMessage): string {
  return proxyAddr(request, trusted(ctx))
}
