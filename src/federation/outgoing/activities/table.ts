import { prepareActorDelete, prepareActorUpdate, prepareMove } from './actor.ts'
import { prepareCollection, prepareItem } from './collection.ts'
import { prepareEncryptedMessage } from './encrypted-message.ts'
import { prepareFeature, prepareFeatureTag } from './featured.ts'
import { prepareAnnounce, prepareLike, prepareVote } from './interactions.ts'
import { prepareFlag } from './flag.ts'
import { prepareBlock, prepareFollow, prepareFollowAnswer, prepareRelayFollow } from './follow.ts'
import { prepareDelete, prepareNote } from './note.ts'
import type { ActKind, Prepare } from './outgoing.ts'
import { prepareFeatureRevocation, prepareQuoteRevocation, prepareRequest, prepareRequestAnswer } from './request.ts'

export const outgoingActivities: { [Kind in ActKind]: Prepare<Kind> } = {
  announce: prepareAnnounce,
  'answer-follow': prepareFollowAnswer,
  'answer-request': prepareRequestAnswer,
  block: prepareBlock,
  collection: prepareCollection,
  'collection-item': prepareItem,
  create: prepareNote,
  delete: prepareDelete,
  'delete-actor': prepareActorDelete,
  'encrypted-message': prepareEncryptedMessage,
  feature: prepareFeature,
  'feature-tag': prepareFeatureTag,
  flag: prepareFlag,
  follow: prepareFollow,
  'follow-relay': prepareRelayFollow,
  like: prepareLike,
  move: prepareMove,
  refresh: prepareNote,
  request: prepareRequest,
  'revoke-feature': prepareFeatureRevocation,
  'revoke-quote': prepareQuoteRevocation,
  update: prepareNote,
  'update-actor': prepareActorUpdate,
  'update-collection': prepareCollection,
  vote: prepareVote,
}
