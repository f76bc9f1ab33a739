import assert from 'node:assert/strict'
import { remoteAccount } from '../remote.ts'
import { type Changes, home, onAda, onStatus, profile, relationship, shows, smallImage, statusPath } from './change.ts'

export const peopleChanges: Changes = {
  'block by the author': {
    read: statusPath,
    change: ({ ada, bob }) => ada.post(`/api/v1/accounts/${bob.id}/block`),
    expect: ({ status }) => status === 404,
  },
  'block by the reader': { read: home, change: (scene) => onAda('block', scene), expect: (a, s) => !shows(a, s) },
  unblock: {
    prepare: (scene) => onAda('block', scene),
    read: relationship,
    change: (scene) => onAda('unblock', scene),
    expect: ({ json }) => !json[0].blocking,
  },
  'mute of an account': { read: home, change: (scene) => onAda('mute', scene), expect: (a, s) => !shows(a, s) },
  'mute of an account, in public': {
    read: () => '/api/v1/timelines/public',
    change: (scene) => onAda('mute', scene),
    expect: (answer, scene) => !shows(answer, scene),
  },
  'end of a mute': {
    prepare: (scene) => onAda('mute', scene),
    read: () => '/api/v1/timelines/public',
    change: (scene) => onAda('unmute', scene),
    expect: shows,
  },
  unfollow: { read: home, change: (scene) => onAda('unfollow', scene), expect: (a, s) => !shows(a, s) },
  'unfollow, as a relationship': {
    read: relationship,
    change: (scene) => onAda('unfollow', scene),
    expect: ({ json }) => !json[0].following,
  },
  'unfollow, of a private post': {
    prepare: ({ ada }) => ada.post('/api/v1/statuses', { status: 'private', visibility: 'private' }),
    read: ({ it }) => `/api/v1/statuses/${it.id}`,
    change: (scene) => onAda('unfollow', scene),
    expect: ({ status }) => status === 404,
  },
  follow: {
    prepare: (scene) => onAda('unfollow', scene),
    read: relationship,
    change: (scene) => onAda('follow', scene),
    expect: ({ json }) => json[0].following,
  },
  'followers as a number': {
    read: ({ ada }) => `/api/v1/accounts/${ada.id}`,
    change: (scene) => onAda('unfollow', scene),
    expect: ({ json }) => json.followers_count === 0,
  },
  'removal of a follower': {
    read: home,
    change: ({ ada, bob }) => ada.post(`/api/v1/accounts/${bob.id}/remove_from_followers`),
    expect: (answer, scene) => !shows(answer, scene),
  },
  'note on an account': {
    read: relationship,
    change: (scene) => onAda('note', scene, { comment: 'a friend' }),
    expect: ({ json }) => json[0].note === 'a friend',
  },
  'domain block by the reader': {
    prepare: ({ server }) => remoteAccount(server, 'zoe', 'far.test'),
    read: ({ it }) => `/api/v1/accounts/relationships?id[]=${it}`,
    change: ({ bob }) => bob.post('/api/v1/domain_blocks', { domain: 'far.test' }),
    expect: ({ json }) => json[0].domain_blocking,
  },
  filter: {
    read: home,
    change: ({ bob }) =>
      bob.post('/api/v2/filters', { title: 'x', context: ['home'], keywords_attributes: [{ keyword: 'first' }] }),
    expect: ({ json }) => json[0].filtered.length === 1,
  },
  'end of a filter': {
    prepare: ({ bob }) =>
      bob.post('/api/v2/filters', { title: 'x', context: ['home'], keywords_attributes: [{ keyword: 'first' }] }),
    read: home,
    change: ({ bob, it }) => bob.delete(`/api/v2/filters/${it.id}`),
    expect: ({ json }) => json[0].filtered.length === 0,
  },
  'keyword of a filter': {
    prepare: ({ bob }) =>
      bob.post('/api/v2/filters', { title: 'x', context: ['home'], keywords_attributes: [{ keyword: 'other' }] }),
    read: home,
    change: ({ bob, it }) => bob.put(`/api/v2/filters/keywords/${it.keywords[0].id}`, { keyword: 'first' }),
    expect: ({ json }) => json[0].filtered.length === 1,
  },
  'new name': {
    read: ({ ada }) => `/api/v1/accounts/${ada.id}`,
    change: ({ ada }) => profile(ada, { display_name: 'Countess' }),
    expect: ({ json }) => json.display_name === 'Countess',
  },
  'new name, beside a post': {
    read: home,
    change: ({ ada }) => profile(ada, { display_name: 'Countess' }),
    expect: ({ json }) => json[0].account.display_name === 'Countess',
  },
  'new avatar': {
    read: statusPath,
    async change({ ada }) {
      const form = new FormData()
      form.set('avatar', new Blob([await smallImage], { type: 'image/png' }), 'a.png')
      assert.equal((await ada.send('PATCH', '/api/v1/accounts/update_credentials', { form })).status, 200)
    },
    expect: ({ json }) => !json.account.avatar.includes('missing') && !json.account.avatar.includes('/assets/'),
  },
  'own settings': {
    read: () => '/api/v1/accounts/verify_credentials',
    change: ({ bob }) => profile(bob, { source: { privacy: 'private' } }),
    expect: ({ json }) => json.source.privacy === 'private',
  },
  'list membership': {
    prepare: async ({ ada, bob }) => {
      const list = await bob.post('/api/v1/lists', { title: 'friends' })
      await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [ada.id] })
      return list
    },
    read: ({ it }) => `/api/v1/timelines/list/${it.id}`,
    change: ({ ada, bob, it }) => bob.delete(`/api/v1/lists/${it.id}/accounts`, { account_ids: [ada.id] }),
    expect: (answer, scene) => !shows(answer, scene),
  },
  'list membership, new': {
    prepare: ({ bob }) => bob.post('/api/v1/lists', { title: 'friends' }),
    read: ({ it }) => `/api/v1/timelines/list/${it.id}`,
    change: ({ ada, bob, it }) => bob.post(`/api/v1/lists/${it.id}/accounts`, { account_ids: [ada.id] }),
    expect: shows,
  },
  'exclusive list': {
    prepare: async ({ ada, bob }) => {
      const list = await bob.post('/api/v1/lists', { title: 'friends' })
      await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [ada.id] })
      return list
    },
    read: home,
    change: ({ bob, it }) => bob.put(`/api/v1/lists/${it.id}`, { title: 'friends', exclusive: true }),
    expect: (answer, scene) => !shows(answer, scene),
  },
  notification: {
    read: ({ ada }) => ['/api/v1/notifications?types[]=favourite', ada],
    change: (scene) => onStatus('favourite', scene),
    expect: ({ json }) => json.length === 1,
  },
  'cleared notifications': {
    prepare: (scene) => onStatus('favourite', scene),
    read: ({ ada }) => ['/api/v2/notifications', ada],
    change: ({ ada }) => ada.post('/api/v2/notifications/clear'),
    expect: ({ json }) => json.notification_groups.length === 0,
  },
  'followed hashtag': {
    read: () => '/api/v1/tags/gardens',
    change: ({ bob }) => bob.post('/api/v1/tags/gardens/follow'),
    expect: ({ json }) => json.following,
  },
}
