import { receiveAccept, receiveReject } from './accept.ts'
import { receiveAnnounce, receiveLike } from './interactions.ts'
import { receiveBlock, receiveFollow, receiveMove } from './accounts.ts'
import { receiveAdd, receiveRemove } from './featured.ts'
import { receiveFlag } from './flag.ts'
import { receiveCreate, receiveDelete, receiveUpdate } from './objects.ts'
import type { Handler } from './incoming.ts'
import { requests } from './request.ts'
import { receiveUndo } from './undo.ts'

export const incomingActivities: Readonly<Record<string, Handler | undefined>> = {
  Accept: receiveAccept,
  Add: receiveAdd,
  Announce: receiveAnnounce,
  Block: receiveBlock,
  Create: receiveCreate,
  Delete: receiveDelete,
  Flag: receiveFlag,
  Follow: receiveFollow,
  Like: receiveLike,
  Move: receiveMove,
  Reject: receiveReject,
  Remove: receiveRemove,
  Undo: receiveUndo,
  Update: receiveUpdate,
  ...requests,
}
