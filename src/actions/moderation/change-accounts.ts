import type { Context } from '../../context.ts'
import { addAffected } from '../../domain/moderation/domain-effects.ts'

/** Changes all accounts of `domains`, chunk by chunk, and counts them for the block of `domain`. May run twice. */
export async function changeAccountsOf(
  ctx: Context,
  domain: string,
  domains: readonly string[],
  changeChunk: (tx: Context, domains: readonly string[]) => Promise<number>,
): Promise<void> {
  if (domains.length === 0) return
  const next = (): Promise<number> =>
    ctx.transaction(async (tx) => {
      const count = await changeChunk(tx, domains)
      await addAffected(tx, domain, count)
      return count
    })
  while ((await next()) > 0);
}
