import Type from 'typebox'
import { nullable } from '../entities/schema.ts'
import { route } from '../http/route.ts'

const Preferences = Type.Object(
  {
    'posting:default:visibility': Type.String(),
    'posting:default:sensitive': Type.Boolean(),
    'posting:default:language': nullable(Type.String()),
    'posting:default:quote_policy': Type.String(),
    'reading:expand:media': Type.String(),
    'reading:expand:spoilers': Type.Boolean(),
    'reading:autoplay:gifs': Type.Boolean(),
  },
  { $id: 'Preferences' },
)

export const getPreferences = route({
  summary: 'The preferences for posting and reading',
  scope: 'read:accounts',
  returns: Preferences,
  async handle({ viewer: { settings } }) {
    return {
      'posting:default:visibility': settings.privacy ?? 'public',
      'posting:default:sensitive': settings.sensitive ?? false,
      'posting:default:language': settings.language ?? null,
      'posting:default:quote_policy': settings.quote_policy ?? 'public',
      'reading:expand:media': settings.expand_media ?? 'default',
      'reading:expand:spoilers': settings.expand_spoilers ?? false,
      'reading:autoplay:gifs': settings.autoplay_gifs ?? false,
    }
  },
})
