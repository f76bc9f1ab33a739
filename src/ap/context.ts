/** JSON-LD contexts for servers that use a JSON-LD processor. */

export const activityStreamsContext = 'https://www.w3.org/ns/activitystreams'

const reference = (id: string) => ({ '@id': id, '@type': '@id' })

const noteTerms = {
  ostatus: 'http://ostatus.org#',
  toot: 'http://joinmastodon.org/ns#',
  misskey: 'https://misskey-hub.net/ns#',
  gts: 'https://gotosocial.org/ns#',
  sensitive: 'as:sensitive',
  Hashtag: 'as:Hashtag',
  Emoji: 'toot:Emoji',
  conversation: 'ostatus:conversation',
  atomUri: 'ostatus:atomUri',
  inReplyToAtomUri: 'ostatus:inReplyToAtomUri',
  blurhash: 'toot:blurhash',
  focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
  votersCount: 'toot:votersCount',
  quote: reference('https://w3id.org/fep/044f#quote'),
  quoteUri: 'http://fedibird.com/ns#quoteUri',
  quoteUrl: 'as:quoteUrl',
  _misskey_quote: 'misskey:_misskey_quote',
  quoteAuthorization: reference('https://w3id.org/fep/044f#quoteAuthorization'),
  QuoteAuthorization: 'https://w3id.org/fep/044f#QuoteAuthorization',
  QuoteRequest: 'https://w3id.org/fep/044f#QuoteRequest',
  LikeRequest: 'gts:LikeRequest',
  ReplyRequest: 'gts:ReplyRequest',
  AnnounceRequest: 'gts:AnnounceRequest',
  LikeAuthorization: 'gts:LikeAuthorization',
  ReplyAuthorization: 'gts:ReplyAuthorization',
  AnnounceAuthorization: 'gts:AnnounceAuthorization',
  likeAuthorization: reference('gts:likeAuthorization'),
  replyAuthorization: reference('gts:replyAuthorization'),
  announceAuthorization: reference('gts:announceAuthorization'),
  approvedBy: reference('gts:approvedBy'),
  interactingObject: reference('gts:interactingObject'),
  interactionTarget: reference('gts:interactionTarget'),
  interactionPolicy: reference('gts:interactionPolicy'),
  canQuote: reference('gts:canQuote'),
  canReply: reference('gts:canReply'),
  canLike: reference('gts:canLike'),
  canAnnounce: reference('gts:canAnnounce'),
  always: reference('gts:always'),
  automaticApproval: reference('gts:automaticApproval'),
  manualApproval: reference('gts:manualApproval'),
}

const actorTerms = {
  toot: 'http://joinmastodon.org/ns#',
  schema: 'http://schema.org#',
  manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
  Hashtag: 'as:Hashtag',
  Emoji: 'toot:Emoji',
  focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
  blurhash: 'toot:blurhash',
  PropertyValue: 'schema:PropertyValue',
  value: 'schema:value',
  featured: reference('toot:featured'),
  featuredTags: reference('toot:featuredTags'),
  devices: reference('toot:devices'),
  gts: 'https://gotosocial.org/ns#',
  featuredCollections: reference('https://w3id.org/fep/7aa9#featuredCollections'),
  interactionPolicy: reference('gts:interactionPolicy'),
  canFeature: reference('https://w3id.org/fep/7aa9#canFeature'),
  automaticApproval: reference('gts:automaticApproval'),
  discoverable: 'toot:discoverable',
  indexable: 'toot:indexable',
  memorial: 'toot:memorial',
  suspended: 'toot:suspended',
  showMedia: 'toot:showMedia',
  showRepliesInMedia: 'toot:showRepliesInMedia',
  showFeatured: 'toot:showFeatured',
  attributionDomains: reference('toot:attributionDomains'),
  movedTo: reference('as:movedTo'),
  alsoKnownAs: reference('as:alsoKnownAs'),
  webfinger: 'https://purl.archive.org/socialweb/webfinger#webfinger',
}

/** For posts, and for activities and collections that contain posts. */
export const noteContext = [activityStreamsContext, noteTerms] as const

/** For actors, and for activities that contain actors. */
export const actorContext = [activityStreamsContext, 'https://w3id.org/security/v1', actorTerms] as const

/** For devices, their one-time keys, and encrypted messages between them. */
export const deviceContext = [
  activityStreamsContext,
  'https://w3id.org/security/v1',
  {
    toot: 'http://joinmastodon.org/ns#',
    Device: 'toot:Device',
    Ed25519Signature: 'toot:Ed25519Signature',
    Ed25519Key: 'toot:Ed25519Key',
    Curve25519Key: 'toot:Curve25519Key',
    EncryptedMessage: 'toot:EncryptedMessage',
    publicKeyBase64: 'toot:publicKeyBase64',
    deviceId: 'toot:deviceId',
    claim: reference('toot:claim'),
    fingerprintKey: reference('toot:fingerprintKey'),
    identityKey: reference('toot:identityKey'),
    messageFranking: 'toot:messageFranking',
    messageType: 'toot:messageType',
    cipherText: 'toot:cipherText',
  },
] as const

/** For collections of accounts, and for the authorizations of their members. */
export const featuredCollectionContext = [
  activityStreamsContext,
  {
    toot: 'http://joinmastodon.org/ns#',
    gts: 'https://gotosocial.org/ns#',
    sensitive: 'as:sensitive',
    discoverable: 'toot:discoverable',
    Hashtag: 'as:Hashtag',
    FeaturedCollection: 'https://w3id.org/fep/7aa9#FeaturedCollection',
    FeaturedItem: 'https://w3id.org/fep/7aa9#FeaturedItem',
    FeatureAuthorization: 'https://w3id.org/fep/7aa9#FeatureAuthorization',
    FeatureRequest: 'https://w3id.org/fep/7aa9#FeatureRequest',
    topic: 'https://w3id.org/fep/7aa9#topic',
    featuredObject: reference('https://w3id.org/fep/7aa9#featuredObject'),
    featuredObjectType: 'https://w3id.org/fep/7aa9#featuredObjectType',
    featureAuthorization: reference('https://w3id.org/fep/7aa9#featureAuthorization'),
    interactingObject: reference('gts:interactingObject'),
    interactionTarget: reference('gts:interactionTarget'),
  },
] as const
