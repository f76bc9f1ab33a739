import { type Change, type Changes, home, onStatus, shows, statusPath } from './change.ts'

/** An act of one person on a status, and the member of the status that shows it. */
const interactions: Changes = Object.fromEntries(
  Object.entries({ favourite: 'favourited', bookmark: 'bookmarked', reblog: 'reblogged', mute: 'muted' }).flatMap(
    ([verb, member]): [string, Change][] => [
      [verb, { read: statusPath, change: (scene) => onStatus(verb, scene), expect: ({ json }) => json[member] }],
      [
        `un${verb}`,
        {
          prepare: (scene) => onStatus(verb, scene),
          read: statusPath,
          change: (scene) => onStatus(`un${verb}`, scene),
          expect: ({ json }) => !json[member],
        },
      ],
    ],
  ),
)

export const statusChanges: Changes = {
  ...interactions,
  edit: {
    read: statusPath,
    change: (scene) => scene.ada.put(statusPath(scene), { status: 'changed' }),
    expect: ({ json }) => json.content.includes('changed'),
  },
  'edit, at home': {
    read: home,
    change: (scene) => scene.ada.put(statusPath(scene), { status: 'changed' }),
    expect: ({ json }) => json[0].content.includes('changed'),
  },
  post: {
    read: home,
    change: ({ ada }) => ada.post('/api/v1/statuses', { status: 'fresh news' }),
    expect: ({ json }) => json[0].content.includes('fresh news'),
  },
  reply: {
    read: (scene) => `${statusPath(scene)}/context`,
    change: ({ bob, status }) => bob.post('/api/v1/statuses', { status: 'reply', in_reply_to_id: status.id }),
    expect: ({ json }) => json.descendants.length === 1,
  },
  'a reply for followers': {
    read: (scene) => `${statusPath(scene)}/context`,
    change: ({ ada, status }) =>
      ada.post('/api/v1/statuses', { status: 'reply', in_reply_to_id: status.id, visibility: 'private' }),
    expect: ({ json }) => json.descendants.length === 1,
  },
  'deletion of a reply that has a reply': {
    async prepare({ ada, bob, status }) {
      const reply = await bob.post('/api/v1/statuses', { status: 'reply', in_reply_to_id: status.id })
      await ada.post('/api/v1/statuses', { status: 'reply to the reply', in_reply_to_id: reply.id })
      return reply
    },
    read: (scene) => `${statusPath(scene)}/context`,
    change: ({ bob, it }) => bob.delete(`/api/v1/statuses/${it.id}`),
    expect: ({ json }) => json.descendants.length === 0,
  },
  'reply, as a number': {
    read: statusPath,
    change: ({ bob, status }) => bob.post('/api/v1/statuses', { status: 'reply', in_reply_to_id: status.id }),
    expect: ({ json }) => json.replies_count === 1,
  },
  deletion: {
    read: statusPath,
    change: (scene) => scene.ada.delete(statusPath(scene)),
    expect: ({ status }) => status === 404,
  },
  'deletion, at home': {
    read: home,
    change: (scene) => scene.ada.delete(statusPath(scene)),
    expect: (answer, scene) => !shows(answer, scene),
  },
  'favourites as a number, to the author': {
    read: (scene) => [statusPath(scene), scene.ada],
    change: (scene) => onStatus('favourite', scene),
    expect: ({ json }) => json.favourites_count === 1,
  },
  'boosts as a number, without a sign-in': {
    read: (scene) => [statusPath(scene), { ...scene.bob, token: '' }],
    change: (scene) => onStatus('reblog', scene),
    expect: ({ json }) => json.reblogs_count === 1,
  },
  vote: {
    prepare: ({ ada }) =>
      ada.post('/api/v1/statuses', { status: 'Tea?', poll: { options: ['yes', 'no'], expires_in: 3600 } }),
    read: ({ it }) => `/api/v1/statuses/${it.id}`,
    change: ({ bob, it }) => bob.post(`/api/v1/polls/${it.poll.id}/votes`, { choices: [0] }),
    expect: ({ json }) => json.poll.voted && json.poll.votes_count === 1,
  },
  'vote, to the author': {
    prepare: ({ ada }) =>
      ada.post('/api/v1/statuses', { status: 'Tea?', poll: { options: ['yes', 'no'], expires_in: 3600 } }),
    read: ({ ada, it }) => [`/api/v1/polls/${it.poll.id}`, ada],
    change: ({ bob, it }) => bob.post(`/api/v1/polls/${it.poll.id}/votes`, { choices: [0] }),
    expect: ({ json }) => json.votes_count === 1,
  },
  'quote revocation': {
    prepare: ({ bob, status }) => bob.post('/api/v1/statuses', { status: 'see', quoted_status_id: status.id }),
    read: ({ it }) => `/api/v1/statuses/${it.id}`,
    change: (scene) => scene.ada.post(`${statusPath(scene)}/quotes/${scene.it.id}/revoke`),
    expect: ({ json }) => json.quote.state === 'revoked',
  },
  'edit of a quoted post': {
    prepare: ({ bob, status }) => bob.post('/api/v1/statuses', { status: 'see', quoted_status_id: status.id }),
    read: ({ it }) => `/api/v1/statuses/${it.id}`,
    change: (scene) => scene.ada.put(statusPath(scene), { status: 'changed' }),
    expect: ({ json }) => json.quote.quoted_status.content.includes('changed'),
  },
  pin: {
    read: ({ ada }) => `/api/v1/accounts/${ada.id}/statuses?pinned=true`,
    change: (scene) => onStatus('pin', scene, scene.ada),
    expect: shows,
  },
  'pin, to the author': {
    read: (scene) => [statusPath(scene), scene.ada],
    change: (scene) => onStatus('pin', scene, scene.ada),
    expect: ({ json }) => json.pinned,
  },
}
