import type { FastifyReply } from 'fastify'

/** For files of the signed-in user. `name` is not escaped: it may contain only letters, digits, underscores, hyphens and dots. */
export const downloadHeaders = (name: string, type: string): Record<string, string> => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${name}"`,
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
})

/** `name`: without the extension. */
export const sendCsv = (reply: FastifyReply, name: string, csv: string): FastifyReply =>
  reply.headers(downloadHeaders(`${name}.csv`, 'text/csv; charset=utf-8')).send(csv)

/** As sendCsv. */
export const sendJson = (reply: FastifyReply, name: string, json: string): FastifyReply =>
  reply.headers(downloadHeaders(`${name}.json`, 'application/json; charset=utf-8')).send(json)
