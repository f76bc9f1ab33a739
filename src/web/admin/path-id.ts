import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { AdminVisit } from './frame.ts'

/** The parameter `id` of the path. Throws NotFound for text that is no id. */
export function pathId({ request }: Pick<AdminVisit, 'request'>): string {
  const { id } = request.params as { id: string }
  if (!isId(id)) throw new NotFound()
  return id
}
