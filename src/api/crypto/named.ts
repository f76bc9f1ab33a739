import { BadRequest } from '../../lib/errors.ts'

/** The devices a request names. Throws BadRequest where it names none. */
export function named<T>(devices: readonly T[]): readonly T[] {
  if (devices.length === 0) throw new BadRequest('param is missing or the value is empty: device')
  return devices
}
