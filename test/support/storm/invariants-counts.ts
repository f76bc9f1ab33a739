// Numbers in answers equal what lists in other answers have.
import type { World } from './world.ts'

export async function countsMatchLists(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const name of await world.readers()) {
    const { get } = world.person(name)
    const compare = (what: string, said: unknown, counted: unknown): void => {
      if (said !== counted) problems.push(`${name}: ${what} is ${said}, there are ${counted}`)
    }
    const requests: any[] = await get('/api/v1/notifications/requests?limit=80')
    const { summary } = await get('/api/v2/notifications/policy')
    const held = requests.reduce((sum, request) => sum + Number(request.notifications_count), 0)
    compare('pending_requests_count', summary.pending_requests_count, requests.length)
    compare('pending_notifications_count', summary.pending_notifications_count, held)
    const all: any[] = await get('/api/v1/notifications?limit=80&include_filtered=true')
    const shown: any[] = await get('/api/v1/notifications?limit=80')
    if (all.length < 80) compare('notifications of requests', held, all.length - shown.length)
  }
  return problems
}
