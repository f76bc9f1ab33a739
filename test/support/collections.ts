import { type Answer, type Person, type TestServer } from './server.ts'

/** Others can add the account to collections. */
export async function discoverablePerson(server: TestServer, name: string): Promise<Person> {
  const person = await server.person(name)
  await person.send('PATCH', '/api/v1/accounts/update_credentials', { json: { discoverable: true } })
  return person
}

export const createCollection = async (owner: Person, json: object = {}): Promise<any> =>
  (await owner.post('/api/v1/collections', { name: 'Friends', ...json })).collection
export const readCollection = (viewer: Person, id: string): Promise<any> => viewer.get(`/api/v1/collections/${id}`)
export const addAccount = (owner: Person, id: string, accountId: unknown): Promise<Answer> =>
  owner.send('POST', `/api/v1/collections/${id}/items`, { json: { account_id: accountId } })
export const memberIds = async (viewer: Person, id: string): Promise<string[]> =>
  (await readCollection(viewer, id)).collection.items.map((item: any) => item.account_id)
export const collectionIds = async (viewer: Person, account: { id: string }, query = ''): Promise<string[]> =>
  (await viewer.get(`/api/v1/accounts/${account.id}/collections${query}`)).collections.map(({ id }: any) => id)
