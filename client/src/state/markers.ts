// How far the viewer has read, for all devices and apps.
import { api, read } from '../api/client.ts'
import { oldestFirst } from '../api/ids.ts'

/**
 * Moves a marker forward, never back: another tab or device may have read more. Resolves to where it was; `0` for nowhere.
 * Throws ApiError.
 */
export async function advanceMarker(timeline: 'home' | 'notifications', id: string): Promise<string> {
  const known = await read(api.GET('/api/v1/markers', { params: { query: { 'timeline[]': [timeline] } } }))
  const last = known[timeline]?.last_read_id ?? '0'
  if (oldestFirst({ id }, { id: last }) > 0)
    await read(api.POST('/api/v1/markers', { body: { [timeline]: { last_read_id: id } } }))
  return last
}
