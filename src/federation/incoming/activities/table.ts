import { receiveAccept, receiveReject } from './accept.ts'
import { receiveAnnounce } from './announce.ts'
import { receiveBlock } from './block.ts'
import { receiveCreate } from './create.ts'
import { receiveDelete } from './delete.ts'
import { receiveAdd, receiveRemove } from './featured.ts'
import { receiveFollow } from './follow.ts'
import type { Handler } from './incoming.ts'
import { receiveLike } from './like.ts'
import { receiveMove } from './move.ts'
import { requests } from './request.ts'
import { receiveUndo } from './undo.ts'
import { receiveUpdate } from './update.ts'

/** The handler of each type of activity. Other types are ignored. */
export const incomingActivities: Readonly<Record<string, Handler | undefined>> = {
  Accept: receiveAccept,
  Add: receiveAdd,
  Announce: receiveAnnounce,
  Block: receiveBlock,
  Create: receiveCreate,
  Delete: receiveDelete,
  Follow: receiveFollow,
  Like: receiveLike,
  Move: receiveMove,
  Reject: receiveReject,
  Remove: receiveRemove,
  Undo: receiveUndo,
  Update: receiveUpdate,
  ...requests,
}
