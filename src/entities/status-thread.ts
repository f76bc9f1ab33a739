import Type from 'typebox'
import { Status } from './status.ts'

/** https://docs.joinmastodon.org/entities/Context/ */
export const Context = Type.Object(
  { ancestors: Type.Array(Status), descendants: Type.Array(Status) },
  { $id: 'Context' },
)
