import type { Context } from '../../src/context.ts'

/** Calls an act as requests and workers do: after reading the change log, without which caches may be out of date. */
export const caughtUp =
  <Given extends unknown[], Result>(act: (ctx: Context, ...given: Given) => Promise<Result>) =>
  async (ctx: Context, ...given: Given): Promise<Result> => {
    await ctx.changes.catchUp()
    return act(ctx, ...given)
  }
