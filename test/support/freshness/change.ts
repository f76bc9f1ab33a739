// Changes that readers see, and how a reader notices each of them.
import { pngOf } from '../images.ts'
import type { Person, TestServer } from '../server.ts'

export type Answer = { status: number; json: any }
/** Bob follows Ada, who has published the status. `it` is what `prepare` returned. */
export type Scene = { server: TestServer; owner: Person; ada: Person; bob: Person; status: any; it: any }
export type Change = {
  prepare?(scene: Scene): Promise<unknown>
  /** The path that Bob reads, unless the change names another reader. */
  read(scene: Scene): string | [path: string, reader: Person]
  change(scene: Scene): Promise<unknown>
  expect(answer: Answer, scene: Scene): boolean
  /** The IP address from which the path is read. */
  from?: string
}

export const statusPath = ({ status }: Scene): string => `/api/v1/statuses/${status.id}`
export const home = (): string => '/api/v1/timelines/home'
export const shows = ({ json }: Answer, { status }: Scene): boolean =>
  json.some(({ id }: { id: string }) => id === status.id)
export const relationship = ({ ada }: Scene): string => `/api/v1/accounts/relationships?id[]=${ada.id}`
export const onStatus = (verb: string, scene: Scene, person = scene.bob): Promise<any> =>
  person.post(`${statusPath(scene)}/${verb}`)
export const onAda = (verb: string, { ada, bob }: Scene, json?: unknown): Promise<any> =>
  bob.post(`/api/v1/accounts/${ada.id}/${verb}`, json)
export const profile = (person: Person, json: unknown): Promise<any> =>
  person.send('PATCH', '/api/v1/accounts/update_credentials', { json })
export type Changes = Record<string, Change>

export const smallImage = pngOf(8, 8, 'teal')
