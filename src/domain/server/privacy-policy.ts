import type { Context } from '../../context.ts'
import type { Texts } from '../../messages/pages.ts'
import type { Settings } from './settings.ts'

/** That of the administrators, or one that describes Rookery itself, in the language of the texts. */
export function privacyPolicyOf(
  ctx: Context,
  { policy: t }: Texts,
  { privacy_policy, site_contact_email: email, email_subscriptions: isOffered }: Settings,
): string {
  if (privacy_policy.trim()) return privacy_policy
  const { intro, contact, email_subscriptions: byMail, ...paragraphs } = t
  const domain = ctx.config.localDomain
  const offered = isOffered ? [byMail] : []
  return [intro({ domain }), ...Object.values(paragraphs), ...offered, ...(email ? [contact({ email })] : [])].join(
    '\n\n',
  )
}
