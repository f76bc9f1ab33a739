// What severed relationships, moderation warnings, reports and sign-ups say.
import type { NotificationGroup } from '../api/entities.ts'
import { texts } from '../texts.ts'

export function OtherDetails({ group }: { group: NotificationGroup }) {
  const t = texts.notifications
  const { event, moderation_warning: warning, report, collection } = group
  if (event)
    return (
      <div class="notification-details">
        <p>
          {t.severed_reasons[event.type]}{' '}
          {t.severed_counts({ followers: event.followers_count, following: event.following_count })}
        </p>
        <a href="/severed_relationships">{t.severed_details}</a>
      </div>
    )
  if (warning)
    return (
      <div class="notification-details">
        <p>{t.warnings[warning.action]}</p>
        {warning.text && <p dir="auto">{warning.text}</p>}
        <a href={`/disputes/strikes/${warning.id}`}>{warning.appeal ? t.warning_details : t.appeal}</a>
      </div>
    )
  if (report)
    return (
      <div class="notification-details">
        {report.comment && <p dir="auto">{report.comment}</p>}
        <a href={`/admin/reports/${report.id}`}>{t.open_report}</a>
      </div>
    )
  if (collection)
    return (
      <div class="notification-details">
        <a href={`/collections/${collection.id}`}>
          <bdi>{collection.name}</bdi>
        </a>
      </div>
    )
  if (group.type === 'admin.sign_up')
    return (
      <div class="notification-details">
        <a href="/admin/accounts">{t.open_accounts}</a>
      </div>
    )
  return null
}
