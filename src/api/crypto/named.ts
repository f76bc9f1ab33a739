import { BadRequest } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

/** The devices a request names. Throws BadRequest where it names none. */
export function named<T>(devices: readonly T[]): readonly T[] {
  if (devices.length === 0) throw new BadRequest(message('parameter_missing', { name: 'device' }))
  return devices
}
