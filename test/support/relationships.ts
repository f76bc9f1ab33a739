import type { Person } from './server.ts'

/** `what`: the name of the act in the path, such as `follow`. */
export const act = (who: Person, id: string, what: string, json: object = {}) =>
  who.send('POST', `/api/v1/accounts/${id}/${what}`, { json })

export const relationshipWith = async (who: Person, id: string) =>
  (await who.get(`/api/v1/accounts/relationships?id=${id}`))[0]

/** Of followed accounts and followers. */
export async function counts(who: Person): Promise<[number, number]> {
  const account = await who.get(`/api/v1/accounts/${who.id}`)
  return [account.following_count, account.followers_count]
}

/** The type and the account of each notification, newest first. */
export const notified = async (who: Person) =>
  (await who.get('/api/v1/notifications')).map((item: any) => [item.type, item.account.id])
