import type { Config } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../lib/log.ts'

/** A row of `settings` that no page shows. */
const KEY = 'domains'

const ADVICE =
  'Other servers know the accounts and posts here by the former domains. Set LOCAL_DOMAIN and WEB_DOMAIN to what they were. ' +
  'If the change is meant, list the former domains in ALTERNATE_DOMAINS, and let them lead to this server.'

/**
 * Warns when other servers know this one by a domain that it no longer answers to, since follows from there are lost. Domains
 * are remembered from the first contact with another server on.
 */
export async function warnOfFormerDomains(db: Database, config: Config, log: Log): Promise<void> {
  const { localDomain, webDomain, alternateDomains } = config
  const { rows } = await db.raw('select value from settings where key = $1 and exists (select from peers)', [KEY])
  const known = (rows[0]?.value ?? []) as string[]
  const now = [...new Set([localDomain, webDomain])]
  const former = known.filter((domain) => !now.includes(domain) && !alternateDomains.includes(domain))
  if (former.length > 0) return log.warn({ former, now, advice: ADVICE }, 'domain.changed')
  await db.raw(
    `insert into settings (key, value) values ($1, $2)
     on conflict (key) do update set value = excluded.value where settings.value <> excluded.value`,
    [KEY, JSON.stringify([...new Set([...known, ...now])])],
  )
}
