// Parts that the list of servers and the page of one server share.
import type { ServerRow } from '../../domain/moderation/servers.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { stateBadge, timeAgo } from './kit.ts'

export const serverPath = (domain: string): string => `/admin/instances/${encodeURIComponent(domain)}`

/** Whether deliveries work, and when the circuit breaker lets the next one pass. */
export function serverState(
  t: Texts,
  { stopped_at, failing_since, retry_at }: Pick<ServerRow, 'stopped_at' | 'failing_since' | 'retry_at'>,
): Html {
  const { states, next_retry: next } = t.admin.federation.servers
  if (stopped_at !== null) return stateBadge(states.stopped, 'plain')
  if (failing_since === null) return stateBadge(states.working, 'good')
  return html`${stateBadge(states.failing, 'bad')} <span class="muted">${t.admin.federation.since} ${timeAgo(t, failing_since)}${retry_at !== null && retry_at.getTime() > Date.now() && html` · ${next} ${timeAgo(t, retry_at)}`}</span>`
}
