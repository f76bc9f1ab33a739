import { sql } from '../database.ts'
import type { World } from './world.ts'

/** A status on the server of this person or place, in words. */
export async function describe(world: World, at: string, id: string): Promise<string> {
  const row = await world.serverOf(at).ctx.db.maybe<Record<string, string | null>>(sql`
    select s.uri, s.visibility, s.text, s.content, s.language, a.username, o.content as original, oa.username as boosted,
      ra.username as reply_to
    from statuses s join accounts a on a.id = s.account_id
    left join statuses o on o.id = s.reblog_of_id left join accounts oa on oa.id = o.account_id
    left join accounts ra on ra.id = s.in_reply_to_account_id where s.id = ${id}`)
  if (!row) return `status ${id} without a row`
  const label = [...world.posts.values()].find(({ uri }) => uri === row['uri'])?.label
  const facts = Object.entries(row).filter(([key, value]) => value !== null && value !== '' && key !== 'uri')
  return `${label ?? id} (${facts.map(([key, value]) => `${key}: ${value}`).join(', ')})`
}
