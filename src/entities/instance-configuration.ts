import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { DISPLAY_NAME_LIMIT, IMAGE_DESCRIPTION_LIMIT } from '../domain/accounts/profile-attributes.ts'
import { FIELD_LIMIT, MAX_FIELDS, NOTE_LIMIT } from '../domain/accounts/profile-rules.ts'
import { supportedTypes } from '../domain/media/av/run.ts'
import * as media from '../domain/media/types.ts'
import { MAX_PINNED_STATUSES } from '../domain/statuses/interactions.ts'
import {
  POLL_MAX_EXPIRATION,
  POLL_MAX_OPTIONS,
  POLL_MIN_EXPIRATION,
  POLL_OPTION_LENGTH,
} from '../domain/statuses/polls/polls.ts'
import { MAX_FEATURED_TAGS } from '../domain/tags/featured.ts'
import { getSecrets } from '../domain/server/secrets.ts'
import type { Settings } from '../domain/server/settings.ts'
import { hasTerms } from '../domain/terms/terms.ts'
import { MAX_CHARACTERS } from '../domain/statuses/rules.ts'
import { CHARACTERS_PER_URL } from '../lib/text/count.ts'
import { nullable } from './schema.ts'

export const sharedConfiguration = {
  statuses: Type.Object({
    max_characters: Type.Integer(),
    max_media_attachments: Type.Integer(),
    characters_reserved_per_url: Type.Integer(),
  }),
  media_attachments: Type.Object({
    supported_mime_types: Type.Array(Type.String()),
    description_limit: Type.Integer(),
    image_size_limit: Type.Integer(),
    image_matrix_limit: Type.Integer(),
    video_size_limit: Type.Integer(),
    video_frame_rate_limit: Type.Integer(),
    video_matrix_limit: Type.Integer(),
  }),
  polls: Type.Object({
    max_options: Type.Integer(),
    max_characters_per_option: Type.Integer(),
    min_expiration: Type.Integer(),
    max_expiration: Type.Integer(),
  }),
}

const Access = Type.Object({ local: Type.String(), remote: Type.String() })

export const Configuration = Type.Object({
  urls: Type.Object({
    streaming: Type.String(),
    status: nullable(Type.String()),
    about: Type.String(),
    privacy_policy: nullable(Type.String()),
    terms_of_service: nullable(Type.String()),
  }),
  vapid: Type.Object({ public_key: Type.String() }),
  accounts: Type.Object({
    max_featured_tags: Type.Integer(),
    max_pinned_statuses: Type.Integer(),
    max_profile_fields: Type.Integer(),
    profile_field_name_limit: Type.Integer(),
    profile_field_value_limit: Type.Integer(),
    max_display_name_length: Type.Integer(),
    max_note_length: Type.Integer(),
    max_avatar_description_length: Type.Integer(),
    max_header_description_length: Type.Integer(),
  }),
  ...sharedConfiguration,
  translation: Type.Object({ enabled: Type.Boolean() }),
  timelines_access: Type.Object({ live_feeds: Access, hashtag_feeds: Access, trending_link_feeds: Access }),
  limited_federation: Type.Boolean(),
})

export const streamingUrl = ({ config }: Context): string =>
  config.streamingUrl ?? config.baseUrl.replace(/^http/, 'ws')

export function presentSharedConfiguration(ctx: Context): {
  [Key in keyof typeof sharedConfiguration]: Static<(typeof sharedConfiguration)[Key]>
} {
  return {
    statuses: {
      max_characters: MAX_CHARACTERS,
      max_media_attachments: media.MAX_ATTACHMENTS,
      characters_reserved_per_url: CHARACTERS_PER_URL,
    },
    media_attachments: {
      supported_mime_types: supportedTypes(ctx),
      description_limit: media.DESCRIPTION_LIMIT,
      image_size_limit: media.IMAGE_SIZE_LIMIT,
      image_matrix_limit: media.IMAGE_MATRIX_LIMIT,
      video_size_limit: media.VIDEO_SIZE_LIMIT,
      video_frame_rate_limit: media.VIDEO_FRAME_RATE_LIMIT,
      video_matrix_limit: media.VIDEO_MATRIX_LIMIT,
    },
    polls: {
      max_options: POLL_MAX_OPTIONS,
      max_characters_per_option: POLL_OPTION_LENGTH,
      min_expiration: POLL_MIN_EXPIRATION,
      max_expiration: POLL_MAX_EXPIRATION,
    },
  }
}

export async function presentConfiguration(ctx: Context, settings: Settings): Promise<Static<typeof Configuration>> {
  const { vapid } = await getSecrets(ctx)
  const topics = { local: settings.local_topic_feed_access, remote: settings.remote_topic_feed_access }
  return {
    urls: {
      streaming: streamingUrl(ctx),
      status: null,
      about: `${ctx.config.baseUrl}/about`,
      privacy_policy: settings.privacy_policy.trim() === '' ? null : `${ctx.config.baseUrl}/privacy-policy`,
      terms_of_service: (await hasTerms(ctx)) ? `${ctx.config.baseUrl}/terms-of-service` : null,
    },
    vapid: { public_key: vapid.publicKey },
    accounts: {
      max_featured_tags: MAX_FEATURED_TAGS,
      max_pinned_statuses: MAX_PINNED_STATUSES,
      max_profile_fields: MAX_FIELDS,
      profile_field_name_limit: FIELD_LIMIT,
      profile_field_value_limit: FIELD_LIMIT,
      max_display_name_length: DISPLAY_NAME_LIMIT,
      max_note_length: NOTE_LIMIT,
      max_avatar_description_length: IMAGE_DESCRIPTION_LIMIT,
      max_header_description_length: IMAGE_DESCRIPTION_LIMIT,
    },
    ...presentSharedConfiguration(ctx),
    translation: { enabled: ctx.config.translation !== null },
    timelines_access: {
      live_feeds: { local: settings.local_live_feed_access, remote: settings.remote_live_feed_access },
      hashtag_feeds: topics,
      trending_link_feeds: topics,
    },
    limited_federation: ctx.config.limitedFederation,
  }
}
