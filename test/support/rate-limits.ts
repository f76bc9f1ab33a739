import { isWithinLimit, type LimitName } from '../../src/http/ratelimit.ts'
import type { TestServer } from './server.ts'

/** Counts uses of a limit in the place of as many requests. */
export async function spend({ ctx }: TestServer, name: LimitName, key: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await isWithinLimit(ctx, name, key)
}
