import type { Context } from '../../context.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { requestReviews } from '../../domain/trends/review.ts'
import { mailStaff } from '../moderation/mail-staff.ts'

/** How many of each kind a mail lists. */
const MAX_LISTED = 10

/** Job `trends.review`: one mail for each staff member about the trends since the last mail, if they need a review. */
export async function mailReviews(ctx: Context): Promise<void> {
  const { trends, trendable_by_default } = await getSettings(ctx)
  if (!trends) return
  await ctx.transaction(async (tx) => {
    const requested = await requestReviews(tx)
    if (trendable_by_default || Object.values(requested).every((labels) => labels.length === 0)) return
    const short = (labels: readonly string[]): string[] => [...new Set(labels)].slice(0, MAX_LISTED)
    await mailStaff(tx, 'trends', () => ({
      tags: short(requested.tags),
      links: short(requested.links),
      publishers: short(requested.publishers),
      statuses: short(requested.statuses),
      link: `${ctx.config.baseUrl}/admin/trends`,
    }))
  })
}
