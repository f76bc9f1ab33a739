import { api, read } from '../api/client.ts'
import type { Status } from '../api/entities.ts'
import { chunksOf } from '../state/chunks.ts'

/** As many as one request may ask for. */
const BATCH = 20

/** Leaves out statuses that are gone or hidden from the viewer. Throws ApiError. */
export async function loadStatuses(ids: readonly string[]): Promise<Status[]> {
  const found: Status[] = []
  for (const chunk of chunksOf(ids, BATCH))
    found.push(...(await read(api.GET('/api/v1/statuses', { params: { query: { 'id[]': chunk } } }))))
  return found
}
