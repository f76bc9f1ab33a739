import type { FastifyInstance } from 'fastify'

/**
 * What the documentation says of an operation that is not declared with `route()`, because it answers a page, a stream or a
 * document of another kind. Stands in the `config` of its route: `app.get('/health', { config: { describes: [{ … }] } }, …)`.
 */
export type Described = {
  summary: string
  /** The content type of the answer. */
  answers: string
  /** Query parameters. */
  params?: readonly string[]
  /** Scopes, one of which the token needs; absent: no token is asked for. */
  scopes?: readonly string[]
  /** Where one route serves several paths: the path that is meant. */
  path?: string
}

export type DescribedOperation = Described & { method: string; path: string }

/** Gathers what routes that are registered from now on say of themselves. Complete when the server is ready. */
export function gatherDescribed(app: FastifyInstance): readonly DescribedOperation[] {
  const operations: DescribedOperation[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    if (method === 'HEAD') return
    for (const described of (config as { describes?: readonly Described[] } | undefined)?.describes ?? [])
      operations.push({ path: url, method: String(method), ...described })
  })
  return operations
}
