import { accept, reject } from './accept.ts'
import { announce } from './announce.ts'
import { block } from './block.ts'
import { create } from './create.ts'
import { remove } from './delete.ts'
import { add, removeFromFeatured } from './featured.ts'
import { follow } from './follow.ts'
import type { Handler } from './incoming.ts'
import { like } from './like.ts'
import { move } from './move.ts'
import { requests } from './request.ts'
import { undo } from './undo.ts'
import { update } from './update.ts'

/** What is done about each type of activity. The others mean nothing here. */
export const activities: Readonly<Record<string, Handler | undefined>> = {
  Accept: accept,
  Add: add,
  Announce: announce,
  Block: block,
  Create: create,
  Delete: remove,
  Follow: follow,
  Like: like,
  Move: move,
  Reject: reject,
  Remove: removeFromFeatured,
  Undo: undo,
  Update: update,
  ...requests,
}
