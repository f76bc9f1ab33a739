import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import {
  assignRole,
  changeEmojis,
  changeRole,
  createAnnouncement,
  createEmoji,
  createRole,
  revokeTokensOf,
  saveSettings,
} from '../acts.ts'
import type { Person } from '../server.ts'
import { type Changes, home, type Scene, shows, smallImage, statusPath } from './change.ts'

const sanction = (type: string, { owner }: Scene, account: Person): Promise<any> =>
  owner.post(`/api/v1/admin/accounts/${account.id}/action`, { type })
const role = (name: string, permissions: bigint): any => ({
  name,
  color: '',
  permissions,
  position: 3,
  highlighted: true,
  collection_limit: 10,
  require_2fa: false,
})
const emojiOf = ({ username }: Person) => ({
  shortcode: username,
  category: '',
  aliases: [] as string[],
  visibleInPicker: true,
})
const emojiFile = async (): Promise<{ path: string; size: number }> => {
  const path = join(mkdtempSync(join(tmpdir(), 'rookery-emoji-')), 'a.png')
  const { size } = await sharp(await smallImage).toFile(path)
  return { path, size }
}

export const staffChanges: Changes = {
  role: {
    prepare: ({ server, owner }) => createRole(server.ctx, owner.id, role('gardener', 0n)),
    read: () => '/api/v1/accounts/verify_credentials',
    change: ({ server, owner, bob, it }) => assignRole(server.ctx, owner.id, bob.id, it.id),
    expect: ({ json }) => json.role.name === 'gardener',
  },
  'permissions of a role': {
    async prepare({ server, owner, bob }) {
      const it = await createRole(server.ctx, owner.id, role('warden', 0n))
      await assignRole(server.ctx, owner.id, bob.id, it.id)
      const token = await server.token({ userId: bob.userId, scopes: ['admin:read'] })
      return { id: it.id, reader: { ...bob, token } }
    },
    read: ({ it }) => ['/api/v1/admin/reports', it.reader],
    change: ({ server, owner, it }) => changeRole(server.ctx, owner.id, it.id, role('warden', 1n << 4n)),
    expect: ({ status }) => status === 200,
  },
  suspension: {
    read: statusPath,
    change: (scene) => sanction('suspend', scene, scene.ada),
    expect: ({ status }) => status === 404,
  },
  'suspension, at home': {
    read: home,
    change: (scene) => sanction('suspend', scene, scene.ada),
    expect: (answer, scene) => !shows(answer, scene),
  },
  'suspension of the reader': {
    read: home,
    change: (scene) => sanction('suspend', scene, scene.bob),
    expect: ({ status }) => status === 403,
  },
  'end of a suspension': {
    prepare: (scene) => sanction('suspend', scene, scene.ada),
    read: statusPath,
    change: ({ owner, ada }) => owner.post(`/api/v1/admin/accounts/${ada.id}/unsuspend`),
    expect: ({ status }) => status === 200,
  },
  'suspension, for a file': {
    async prepare({ ada }) {
      const form = new FormData()
      form.append('file', new Blob([await smallImage]), 'a.png')
      const { json } = await ada.send('POST', '/api/v2/media', { form })
      return new URL(json.url).pathname
    },
    read: ({ it }) => it,
    change: (scene) => sanction('suspend', scene, scene.ada),
    expect: ({ status }) => status === 404,
  },
  'IP block': {
    from: '203.0.113.9',
    read: home,
    change: ({ owner }) => owner.post('/api/v1/admin/ip_blocks', { ip: '203.0.113.9', severity: 'no_access' }),
    expect: ({ status }) => status === 403,
  },
  silence: {
    read: ({ owner }) => ['/api/v1/timelines/public', owner],
    change: (scene) => sanction('silence', scene, scene.ada),
    expect: (answer, scene) => !shows(answer, scene),
  },
  'disabled sign-in': {
    read: home,
    change: (scene) => sanction('disable', scene, scene.bob),
    expect: ({ status }) => status === 403,
  },
  'token revocation': {
    read: home,
    change: ({ server, bob }) => revokeTokensOf(server.ctx, bob.userId),
    expect: ({ status }) => status === 401,
  },
  announcement: {
    read: () => '/api/v1/announcements',
    change: ({ server, owner, ada }) =>
      createAnnouncement(server.ctx, owner.id, {
        text: `About ${ada.username}`,
        startsAt: null,
        endsAt: null,
        allDay: false,
        mailsUsers: false,
        when: 'now',
        scheduledAt: null,
      }),
    expect: ({ json }, { ada }) => json.some(({ content }: any) => content.includes(ada.username)),
  },
  'dismissed announcement': {
    prepare: async ({ bob }) => (await bob.get('/api/v1/announcements'))[0],
    read: () => '/api/v1/announcements?with_dismissed=true',
    change: ({ bob, it }) => bob.post(`/api/v1/announcements/${it.id}/dismiss`),
    expect: ({ json }, { it }) => json.every(({ id, read }: any) => id !== it.id || read),
  },
  emoji: {
    read: () => '/api/v1/custom_emojis',
    change: async ({ server, owner, ada }) => createEmoji(server.ctx, owner.id, emojiOf(ada), await emojiFile()),
    expect: ({ json }, { ada }) => json.some(({ shortcode }: any) => shortcode === ada.username),
  },
  'disabled emoji, in a post': {
    prepare: async ({ server, owner, ada }) => {
      const id = await createEmoji(server.ctx, owner.id, emojiOf(ada), await emojiFile())
      return { id, post: await ada.post('/api/v1/statuses', { status: `:${ada.username}:` }) }
    },
    read: ({ it }) => `/api/v1/statuses/${it.post.id}`,
    change: ({ server, owner, it }) => changeEmojis(server.ctx, owner.id, [it.id], { disabled: true }),
    expect: ({ json }) => json.emojis.length === 0,
  },
  'setting of the server': {
    read: () => '/api/v2/instance',
    change: ({ server, ada }) => saveSettings(server.ctx, { site_title: ada.username }),
    expect: ({ json }, { ada }) => json.title === ada.username,
  },
  'access to a feed': {
    read: ({ bob }) => ['/api/v1/timelines/public?local=true', { ...bob, token: '' }],
    change: ({ server }) => saveSettings(server.ctx, { local_live_feed_access: 'authenticated' }),
    expect: ({ status }) => status >= 400,
  },
}
