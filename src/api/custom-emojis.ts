// GET /api/v1/custom_emojis: the pictures that people here write with.
import Type from 'typebox'
import { CustomEmoji } from '../entities/custom-emoji.ts'
import { loadEmojis } from '../entities/emojis.ts'
import { route } from '../http/route.ts'

export const customEmojis = route({
  summary: 'The emojis of this server',
  auth: 'public',
  cacheable: true,
  returns: Type.Array(CustomEmoji),
  handle: async ({ ctx }) => [...(await loadEmojis(ctx)).values()],
})
