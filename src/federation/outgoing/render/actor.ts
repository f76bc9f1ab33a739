import { contentTypeOf } from '../../../domain/media/types.ts'
import { publicCollection } from '../../../ap/audience.ts'
import { activityStreamsContext, actorContext } from '../../../ap/context.ts'
import type { Context } from '../../../context.ts'
import type { Accounts } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import type { ProfileField } from '../../../domain/accounts/find.ts'
import {
  actorPropertiesOf,
  selectedProfileColumns,
  type ProfileColumn,
} from '../../../domain/accounts/profile-attributes.ts'
import { instanceActorUri, instanceKey, signingKey } from '../../../domain/accounts/keys.ts'
import { accountUri, accountUrl, instanceActorName } from '../../../domain/server/addresses.ts'
import { emojisIn, loadEmojis } from '../../../entities/emojis.ts'
import { localFeaturePolicy, unpackPolicy } from '../../../lib/approval-policy.ts'
import {
  devicesUri,
  featuredCollectionsUri,
  featuredTagsUri,
  featuredUri,
  followersUri,
  followingUri,
} from '../../ids.ts'
import { renderEmojis } from './tags.ts'

type ActorRow = Pick<
  Accounts,
  ProfileColumn | 'id' | 'username' | 'note' | 'avatar_key' | 'header_key' | 'memorial' | 'also_known_as' | 'created_at'
> & {
  fields: ProfileField[]
  moved_to_uri: string | null
  moved_to_username: string | null
  suspended: boolean
}

/** A suspended account has only what others need to recognise it. Null when there is no such account, or it was deleted. */
export async function renderActor(ctx: Context, accountId: string): Promise<Record<string, unknown> | null> {
  const row = await ctx.db.maybe<ActorRow>(sql`
    select ${selectedProfileColumns}, a.id, a.username, a.note, a.fields, a.avatar_key, a.header_key, a.memorial, a.also_known_as,
      a.created_at, a.suspended_at is not null as suspended, m.uri as moved_to_uri, m.username as moved_to_username
    from accounts a left join accounts m on m.id = a.moved_to_id where a.id = ${accountId} and a.domain is null and a.purged_at is null`)
  if (!row) return null
  const [key] = await Promise.all([signingKey(ctx, accountId), loadEmojis(ctx)])
  const uri = accountUri(ctx, row.username)
  const core = {
    '@context': actorContext,
    id: uri,
    type: row.actor_type,
    preferredUsername: row.username,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    followers: followersUri(ctx, row.username),
    following: followingUri(ctx, row.username),
    url: accountUrl(ctx, row.username),
    publicKey: { id: key.keyId, owner: uri, publicKeyPem: key.publicKeyPem },
    endpoints: { sharedInbox: `${ctx.config.baseUrl}/inbox` },
    webfinger: `${row.username}@${ctx.config.localDomain}`,
  }
  if (row.suspended) return { ...core, suspended: true }
  const texts = [row.display_name, row.note, ...row.fields.flatMap(({ name, value }) => [name, value])]
  return {
    ...core,
    featured: featuredUri(ctx, row.username),
    featuredTags: featuredTagsUri(ctx, row.username),
    featuredCollections: featuredCollectionsUri(ctx, row.username),
    devices: devicesUri(ctx, row.username),
    ...actorPropertiesOf(row),
    interactionPolicy: { canFeature: { automaticApproval: [featuringUri(ctx, row)] } },
    summary: row.note,
    memorial: row.memorial,
    published: row.created_at.toISOString(),
    attachment: row.fields.map(({ name, html }) => ({ type: 'PropertyValue', name, value: html })),
    tag: renderEmojis(emojisIn(ctx, [], null, texts)),
    ...image(ctx, 'icon', row.avatar_key, row.avatar_description),
    ...image(ctx, 'image', row.header_key, row.header_description),
    ...(row.also_known_as.length > 0 ? { alsoKnownAs: row.also_known_as } : {}),
    ...(row.moved_to_username === null ? {} : { movedTo: row.moved_to_uri ?? accountUri(ctx, row.moved_to_username) }),
  }
}

/** Who may add the account to a collection. One that may not be featured names itself, as servers ignore an empty list. */
function featuringUri(ctx: Context, row: ActorRow): string {
  const { automatic } = unpackPolicy(localFeaturePolicy(row))
  if (automatic.includes('public')) return publicCollection
  return automatic.includes('followers') ? followersUri(ctx, row.username) : accountUri(ctx, row.username)
}

function image(
  ctx: Context,
  property: 'icon' | 'image',
  key: string | null,
  description: string,
): Record<string, unknown> {
  if (key === null) return {}
  const mediaType = contentTypeOf(key) ?? 'image/jpeg'
  return {
    [property]: {
      type: 'Image',
      mediaType,
      url: ctx.files.url(key),
      ...(description === '' ? {} : { summary: description, name: description }),
    },
  }
}

export async function renderInstanceActor(ctx: Context): Promise<Record<string, unknown>> {
  const key = await instanceKey(ctx)
  const uri = instanceActorUri(ctx)
  return {
    '@context': [
      activityStreamsContext,
      'https://w3id.org/security/v1',
      { manuallyApprovesFollowers: 'as:manuallyApprovesFollowers' },
    ],
    id: uri,
    type: 'Application',
    preferredUsername: instanceActorName(ctx),
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    url: `${ctx.config.baseUrl}/about`,
    manuallyApprovesFollowers: true,
    publicKey: { id: key.keyId, owner: uri, publicKeyPem: key.publicKeyPem },
    endpoints: { sharedInbox: `${ctx.config.baseUrl}/inbox` },
  }
}
