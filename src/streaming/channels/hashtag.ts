import { BadRequest } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { normaliseTag } from '../../lib/text/tags.ts'
import type { Channel } from './channel.ts'

/** Public posts with a hashtag. */
export const hashtagChannels: readonly Channel[] = ['hashtag', 'hashtag:local'].map((name) => ({
  name,
  path: name.replace(':', '/'),
  scopes: [],
  async open(_ctx, _viewer, { tag = '' }) {
    const key = normaliseTag(tag)
    if (key === '') throw new BadRequest(message('stream_tag_missing'))
    return { topic: { kind: 'hashtag', key: `${name}:${key}` }, stream: [name, tag] }
  },
}))
