// Grouped and ungrouped notifications are the same ones, and each has a cause that still exists.
import { sql } from '../database.ts'
import type { Sql } from '../internals.ts'
import { pair, readFacts } from './facts.ts'
import { NAMES, placeOf, type World } from './world.ts'

export async function groupsHaveAllNotifications(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const name of await world.readers())
    for (const query of ['', '&include_filtered=true']) {
      const person = world.person(name)
      const single: any[] = await person.get(`/api/v1/notifications?limit=80${query}`)
      if (single.length === 80) continue
      const { notification_groups: groups } = await person.get(`/api/v2/notifications?limit=80${query}`)
      const wrong = (what: string): void => void problems.push(`${name}${query}: ${what}`)
      const total = groups.reduce((sum: number, group: any) => sum + group.notifications_count, 0)
      if (total !== single.length) wrong(`${single.length} notifications, ${total} in groups`)
      const ids = new Set(single.map(({ id }) => id))
      for (const group of groups) {
        const members = single.filter(({ group_key }) => group_key === group.group_key)
        if (members.length !== group.notifications_count)
          wrong(`group ${group.group_key} counts ${group.notifications_count}, has ${members.length}`)
        if (!ids.has(String(group.most_recent_notification_id)))
          wrong(`group ${group.group_key}: its newest does not exist`)
        const accounts: any[] = query ? [] : await person.get(`/api/v2/notifications/${group.group_key}/accounts`)
        const expected = new Set(members.map(({ account }) => account.id))
        if (!query && (accounts.length !== expected.size || accounts.some(({ id }) => !expected.has(id))))
          wrong(
            `group ${group.group_key} lists ${accounts.map(({ acct }) => acct)} of ${members.map(({ account }) => account.acct)}`,
          )
      }
      if (query) continue
      const marker = (await person.get('/api/v1/markers?timeline[]=notifications')).notifications?.last_read_id ?? '0'
      const unread = single.filter(({ id }) => BigInt(id) > BigInt(marker)).length
      const { count } = await person.get('/api/v1/notifications/unread_count?limit=1000')
      if (count !== unread) wrong(`unread_count is ${count}, there are ${unread}`)
      const unreadGroups = groups.filter(
        (group: any) => BigInt(group.most_recent_notification_id) > BigInt(marker),
      ).length
      const grouped = await person.get('/api/v2/notifications/unread_count?limit=1000')
      if (grouped.count !== unreadGroups)
        wrong(`the unread_count of groups is ${grouped.count}, there are ${unreadGroups}`)
    }
  return problems
}

const CAUSES: Record<string, (from: string, status: string) => Sql> = {
  favourite: (from, status) => sql`select from favourites where account_id = ${from} and status_id = ${status}`,
  reblog: (from, status) => sql`select from statuses where account_id = ${from} and reblog_of_id = ${status}`,
}

export async function notificationsHaveCauses(world: World): Promise<string[]> {
  const facts = await readFacts(world)
  const problems: string[] = []
  for (const name of await world.readers()) {
    const person = world.person(name)
    const { follows, requests, blocks } = facts[placeOf(name)]
    const names = new Map(NAMES.map((each) => [world.accountId(name, each), each]))
    const notifications: any[] = await person.get('/api/v1/notifications?limit=80&include_filtered=true')
    const seen = new Set<string>()
    for (const { type, account, status } of notifications) {
      const from = names.get(account.id) ?? account.acct
      const wrong = (what: string): void =>
        void problems.push(`${name}: ${type} by ${from} of ${status?.uri ?? 'none'}: ${what}`)
      const key = `${type} ${from} ${status?.id}`
      if (
        seen.has(key) &&
        type !== 'moderation_warning' &&
        type !== 'update' &&
        !/collection/.test(type) &&
        type !== 'severed_relationships'
      )
        wrong('twice')
      seen.add(key)
      if (blocks.has(pair(name, from))) wrong('of a blocked account')
      if (type === 'follow' && !follows.has(pair(from, name))) wrong('does not follow')
      if (type === 'follow_request' && !requests.has(pair(from, name))) wrong('has no request')
      if (status === null || status === undefined) {
        if (!/follow|moderation|severed|collection/.test(type)) wrong('has no status')
        continue
      }
      const rows = CAUSES[type as string]?.(account.id, status.id)
      if (rows && (await world.serverOf(name).ctx.db.many(rows)).length === 0) wrong('without a row')
      if (
        type === 'mention' &&
        !status.mentions.some(({ id }: any) => id === person.id) &&
        status.in_reply_to_account_id !== person.id
      )
        wrong('does not mention')
      if (type === 'quote' && !status.quote) wrong('does not quote')
    }
  }
  return problems
}
