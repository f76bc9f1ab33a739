import { getOwnList } from '../../domain/lists/lists.ts'
import { BadRequest, NotFound } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { isId } from '../../lib/ids.ts'
import type { Channel } from './channel.ts'

/** What the people in a list post. Lists of others are not found. */
export const listChannel: Channel = {
  name: 'list',
  path: 'list',
  scopes: ['read:statuses'],
  async open(ctx, { accountId }, { list = '' }) {
    if (list === '') throw new BadRequest(message('stream_list_missing'))
    if (!isId(list)) throw new NotFound()
    const { id } = await getOwnList(ctx, accountId, list)
    return { topic: { kind: 'list', key: id }, stream: ['list', id] }
  },
}
