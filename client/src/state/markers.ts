// How far the viewer has read, for all devices and apps.
import { api, read } from '../api/client.ts'
import { oldestFirst } from '../api/ids.ts'

/** Moves a marker forward, never back: another tab or device may have read more. Throws ApiError. */
export async function advanceMarker(timeline: 'home' | 'notifications', id: string): Promise<void> {
  const known = await read(api.GET('/api/v1/markers', { params: { query: { 'timeline[]': [timeline] } } }))
  const last = known[timeline]?.last_read_id
  if (last !== undefined && oldestFirst({ id }, { id: last }) <= 0) return
  await read(api.POST('/api/v1/markers', { body: { [timeline]: { last_read_id: id } } }))
}
