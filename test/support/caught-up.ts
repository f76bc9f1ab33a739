import type { Context } from '../../src/context.ts'

/** The act as requests and workers call it: after a look at what has changed, without which caches may be out of date. */
export const caughtUp =
  <Given extends unknown[], Result>(act: (ctx: Context, ...given: Given) => Promise<Result>) =>
  async (ctx: Context, ...given: Given): Promise<Result> => {
    await ctx.changes.catchUp()
    return act(ctx, ...given)
  }
