import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PUBLIC, type PeerActor } from '../support/peer.ts'
import { copyOf } from '../support/federated-people.ts'
import { stage } from '../support/stage.ts'
import { AS, createOf, settleAll } from '../support/other-software.ts'

// Posts as other servers' software writes them, and what ada sees of them.

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const adaUri = `http://${server.domain}/users/ada`
const of = await settleAll(peer)

const mention = () => ({ type: 'Mention', href: adaUri, name: `@ada@${server.domain}` })
const find = (uri: string): Promise<any> => copyOf(ada, uri)

type Case = {
  by: string
  /** Where the object is, beneath the peer. */
  path: string
  object: (url: string, actor: PeerActor) => Record<string, any>
  extra?: Record<string, any>
  /** What ada sees, as far as it matters. */
  sees: Record<string, unknown>
}

const cases: Record<string, Case> = {
  'Mastodon 4.6: a note with everything': {
    by: 'mastodon',
    path: '/ap/users/116000000000000001/statuses/117000000000000001',
    object: (url, { uri }) => ({
      summary: 'cw',
      inReplyTo: null,
      url: `${url}/@masto/117000000000000001`,
      to: [PUBLIC],
      cc: [`${uri}/followers`, adaUri],
      sensitive: true,
      atomUri: `${uri}/statuses/117000000000000001`,
      inReplyToAtomUri: null,
      conversation: `tag:${peer.domain},2026-01-02:objectId=1:objectType=Conversation`,
      context: `${url}/contexts/116-117`,
      content: '<p>Hallo</p>',
      contentMap: { de: '<p>Hallo</p>' },
      interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } },
      attachment: [
        {
          type: 'Document',
          mediaType: 'image/png',
          url: `${url}/m.png`,
          name: 'a tree',
          blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
          focalPoint: [0, 0.5],
          width: 10,
          height: 20,
        },
      ],
      tag: [
        mention(),
        { type: 'Hashtag', href: `${url}/tags/rooks`, name: '#Rooks' },
        {
          id: `${url}/emojis/1`,
          type: 'Emoji',
          name: ':oak:',
          updated: '2020-01-01T00:00:00Z',
          icon: { type: 'Image', mediaType: 'image/png', url: `${url}/oak.png` },
        },
      ],
      replies: {
        id: `${uri}/statuses/1/replies`,
        type: 'Collection',
        first: {
          type: 'CollectionPage',
          next: `${uri}/statuses/1/replies?page=true`,
          partOf: `${uri}/statuses/1/replies`,
          items: [],
        },
      },
      likes: { id: `${uri}/statuses/1/likes`, type: 'Collection', totalItems: 3 },
      shares: { id: `${uri}/statuses/1/shares`, type: 'Collection', totalItems: 1 },
    }),
    sees: {
      content: '<p>Hallo</p>',
      language: 'de',
      spoiler_text: 'cw',
      sensitive: true,
      visibility: 'public',
      media: ['image a tree'],
      tags: ['rooks'],
      emojis: ['oak'],
      mentions: ['ada'],
    },
  },
  'Mastodon: a poll': {
    by: 'mastodon',
    path: '/ap/users/116000000000000001/statuses/117000000000000002',
    object: () => ({
      type: 'Question',
      content: '<p>Which?</p>',
      cc: [adaUri],
      endTime: '2999-01-01T00:00:00Z',
      votersCount: 3,
      oneOf: [
        { type: 'Note', name: 'this', replies: { type: 'Collection', totalItems: 2 } },
        { type: 'Note', name: 'that', replies: { type: 'Collection', totalItems: 1 } },
      ],
    }),
    sees: {
      content: '<p>Which?</p>',
      poll: [
        ['this', 2],
        ['that', 1],
      ],
    },
  },
  'GoToSocial: single values where others send lists, a policy of its own': {
    by: 'gotosocial',
    path: '/users/sloth/statuses/01JSLOTH',
    object: (url, { uri }) => ({
      url: `${url}/@sloth/statuses/01JSLOTH`,
      to: PUBLIC,
      cc: [`${uri}/followers`, adaUri],
      content: '<p>slow <b>news</b></p>',
      contentMap: { 'en-GB': '<p>slow <b>news</b></p>' },
      attachment: [],
      tag: mention(),
      summary: '',
      sensitive: false,
      interactionPolicy: {
        canLike: { always: [PUBLIC], approvalRequired: [] },
        canReply: { always: PUBLIC },
        canAnnounce: { always: [PUBLIC] },
      },
      replies: {
        first: {
          id: `${uri}/statuses/01JSLOTH/replies?page=true`,
          next: `${uri}/statuses/01JSLOTH/replies?limit=20&page=true`,
          partOf: `${uri}/statuses/01JSLOTH/replies`,
          type: 'CollectionPage',
        },
        id: `${uri}/statuses/01JSLOTH/replies`,
        type: 'Collection',
      },
    }),
    sees: {
      content: '<p>slow <b>news</b></p>',
      language: 'en',
      spoiler_text: '',
      visibility: 'public',
      mentions: ['ada'],
    },
  },
  'snac: dates without fractions, an empty warning': {
    by: 'snac',
    path: '/snail/p/1767312000.123456',
    object: (_url, { uri }) => ({
      url: `${uri}/p/1767312000.123456`,
      published: '2026-01-02T00:00:00Z',
      inReplyTo: '',
      summary: '',
      sensitive: false,
      context: `${uri}/p/1767312000.123456#ctxt`,
      content: '<p>slime</p>',
      sourceContent: 'slime',
      source: { content: 'slime', mediaType: 'text/markdown' },
      to: [PUBLIC],
      cc: [adaUri],
      tag: [mention()],
      attachment: [{ type: 'Image', mediaType: 'image/jpeg', url: `${uri}/s/slime.jpg`, name: 'slime' }],
    }),
    sees: {
      content: '<p>slime</p>',
      created_at: '2026-01-02T00:00:00.000Z',
      in_reply_to_id: null,
      media: ['image slime'],
    },
  },
  'Akkoma: a direct message with its flag, links as addresses of files': {
    by: 'akkoma',
    path: '/objects/0a1b2c3d-0000-4000-8000-000000000001',
    object: (url, actor) => ({
      '@context': [AS, `${url}/schemas/litepub-0.1.jsonld`, { '@language': 'und' }],
      actor: actor.uri,
      to: [adaUri],
      cc: [],
      context: `${url}/contexts/0a1b`,
      conversation: `${url}/contexts/0a1b`,
      content: '<span class="h-card"><a href="x" class="u-url mention">@<span>ada</span></a></span> psst',
      source: { content: '@ada psst', mediaType: 'text/plain' },
      summary: '',
      sensitive: null,
      tag: [mention()],
      attachment: [
        {
          type: 'Document',
          mediaType: 'image/png',
          name: 'secret',
          url: [{ type: 'Link', href: `${url}/media/s.png`, mediaType: 'image/png' }],
        },
      ],
    }),
    extra: { directMessage: true, context: 'same' },
    sees: { visibility: 'direct', mentions: ['ada'], media: ['image secret'], sensitive: false },
  },
  'Misskey: its own copies of everything, an id without a name': {
    by: 'misskey',
    path: '/notes/9k2note1',
    object: (url, { uri }) => ({
      summary: null,
      _misskey_summary: null,
      content: '<p><span>nya</span></p>',
      _misskey_content: 'nya',
      source: { content: 'nya', mediaType: 'text/x.misskeymarkdown' },
      _misskey_quote: `${url}/notes/9k2other`,
      quoteUrl: `${url}/notes/9k2other`,
      to: [PUBLIC],
      cc: [`${uri}/followers`, adaUri],
      inReplyTo: null,
      attachment: [{ type: 'Document', mediaType: 'video/mp4', url: `${url}/files/x`, name: null, sensitive: true }],
      sensitive: false,
      tag: [{ type: 'Mention', href: adaUri, name: `@ada@${server.domain}` }],
    }),
    sees: { content: '<p><span>nya</span></p>', media: ['video null'], spoiler_text: '' },
  },
  'Misskey: a poll in its words': {
    by: 'misskey',
    path: '/notes/9k2poll',
    object: () => ({
      type: 'Question',
      content: '<p>nyan?</p>',
      _misskey_content: 'nyan?',
      cc: [adaUri],
      endTime: null,
      anyOf: [
        { type: 'Note', name: 'yes', replies: { type: 'Collection', totalItems: 0 }, _misskey_votes: 0 },
        { type: 'Note', name: 'no', replies: { type: 'Collection', totalItems: 4 }, _misskey_votes: 4 },
      ],
    }),
    sees: {
      poll: [
        ['yes', 0],
        ['no', 4],
      ],
    },
  },
  'Pixelfed: nothing but pictures': {
    by: 'pixelfed',
    path: '/p/pix/123456789012345678',
    object: (url, { uri }) => ({
      '@context': ['https://w3id.org/security/v1', AS, { capabilities: { announce: { '@type': '@id' } } }],
      summary: null,
      content: null,
      inReplyTo: null,
      url: `${url}/p/pix/123456789012345678`,
      to: [PUBLIC],
      cc: [`${uri}/followers`, adaUri],
      sensitive: false,
      attachment: [
        { type: 'Image', mediaType: 'image/jpeg', url: `${url}/storage/1.jpg`, name: null },
        {
          type: 'Image',
          mediaType: 'image/jpeg',
          url: `${url}/storage/2.jpg`,
          name: 'the second',
          blurhash: 'U6PZfSi_.AyE_3t7t7R**0o#DgR4_3R*D%xu',
        },
      ],
      tag: [],
      commentsEnabled: true,
      capabilities: { announce: PUBLIC, like: PUBLIC, reply: PUBLIC },
      location: { type: 'Place', name: 'Tower', latitude: '51.5' },
      published: '2026-01-02T03:04:05+00:00',
    }),
    sees: { content: '', media: ['image null', 'image the second'], created_at: '2026-01-02T03:04:05.000Z' },
  },
  'PeerTube: a video of a person in a channel, with many addresses': {
    by: 'peertube',
    path: '/videos/watch/1f2e3d4c',
    object: (url, { uri }) => ({
      type: 'Video',
      name: 'Rooks & <crows>',
      duration: 'PT90S',
      uuid: '1f2e3d4c',
      attributedTo: [
        { type: 'Group', id: `${url}/video-channels/channel` },
        { type: 'Person', id: uri },
      ],
      to: [PUBLIC],
      cc: [`${uri}/followers`, adaUri],
      content: 'About **birds**',
      mediaType: 'text/markdown',
      summary: null,
      sensitive: false,
      commentsEnabled: true,
      updated: '2026-01-03T00:00:00.000Z',
      published: '2026-01-02T00:00:00.000Z',
      icon: [{ type: 'Image', url: `${url}/thumb.jpg`, mediaType: 'image/jpeg', width: 280, height: 157 }],
      url: [
        {
          type: 'Link',
          mediaType: 'application/x-mpegURL',
          href: `${url}/hls.m3u8`,
          tag: [{ type: 'Link', href: `${url}/720.mp4`, mediaType: 'video/mp4' }],
        },
        { type: 'Link', mediaType: 'text/html', href: `${url}/videos/watch/1f2e3d4c` },
      ],
      likes: `${url}/videos/watch/1f2e3d4c/likes`,
      tag: [{ type: 'Hashtag', name: 'birds' }],
    }),
    sees: {
      content:
        /^<p><strong>Rooks &amp; &lt;crows&gt;<\/strong><\/p><p><a href="http:\/\/localhost:\d+\/videos\/watch\/1f2e3d4c"/,
      author: 'tuber',
      tags: ['birds'],
    },
  },
  'PeerTube: a comment in Markdown': {
    by: 'peertube',
    path: '/videos/watch/1f2e3d4c/comments/7',
    object: () => ({
      content: `@ada@${server.domain} nice & < long\nsee https://example.test/x\n\n*bye*`,
      mediaType: 'text/markdown',
      cc: [adaUri],
      tag: [mention()],
    }),
    sees: {
      content:
        /^<p><span class="h-card"[^>]*><a href="[^"]+\/users\/ada" class="u-url mention"[^>]*>@<span>ada<\/span><\/a><\/span> nice &amp; &lt; long<br ?\/?>see <a href="https:\/\/example.test\/x".*<\/a><\/p><p>\*bye\*<\/p>$/,
      mentions: ['ada'],
    },
  },
  'HTML that is declared as Markdown': {
    by: 'odd',
    path: '/odd/notes/2',
    object: () => ({ content: '<p>bold <b>words</b></p>', mediaType: 'text/markdown', cc: [adaUri] }),
    sees: { content: '<p>bold <b>words</b></p>' },
  },
  'Mobilizon: an event': {
    by: 'odd',
    path: '/events/b81c0531',
    object: (url, { uri }) => ({
      type: 'Event',
      actor: uri,
      name: 'Danse',
      inLanguage: 'fr',
      content: '<p>On danse.</p>',
      mediaType: 'text/html',
      startTime: '2026-12-11T19:00:00+00:00',
      url: `${url}/events/b81c0531`,
      cc: [adaUri],
      location: { type: 'Place', name: 'The hall' },
      attachment: [{ type: 'Document', name: 'Banner', mediaType: 'image/jpeg', url: `${url}/b.jpg?name=b.jpg` }],
    }),
    sees: { content: /^<p><strong>Danse<\/strong><\/p>/, language: 'fr', media: ['image Banner'] },
  },
  'Gancio: an event with lines of text': {
    by: 'odd',
    path: '/federation/m/1',
    object: () => ({
      type: 'Event',
      name: 'Danza',
      location: { name: 'Colosseo' },
      content: '',
      summary: '\n    📍 Colosseo & co\n    📅 14 July (17:30)\n\n    \n  ',
      cc: [adaUri],
      attachment: [{ type: 'Document', mediaType: 'image/jpeg', url: `${peer.url}/d.jpg`, name: '', blurHash: null }],
      tag: [{ type: 'Hashtag', name: '#danza', href: '/tags/danza' }],
    }),
    sees: {
      content: /^<p><strong>Danza<\/strong><\/p><p>📍 Colosseo &amp; co<br \/>📅 14 July \(17:30\)<\/p><p><a /,
      media: ['image null'],
      tags: ['danza'],
    },
  },
  'text with line breaks in place of HTML': {
    by: 'odd',
    path: '/odd/notes/3',
    object: () => ({ content: 'one &lt; two\r\nthree\n\n\nfour', cc: [adaUri] }),
    sees: { content: '<p>one &lt; two<br />three</p><p>four</p>' },
  },
  'Lemmy: a page with a link, for a group and the public': {
    by: 'lemmyUser',
    path: '/post/1',
    object: (url) => ({
      type: 'Page',
      to: [`${url}/c/rooks`, PUBLIC],
      cc: [adaUri],
      name: 'Look at this',
      content: '<p>body</p>\n',
      mediaType: 'text/html',
      source: { content: 'body', mediaType: 'text/markdown' },
      attachment: [{ type: 'Link', href: 'https://example.test/' }],
      image: { type: 'Image', url: `${url}/pictrs/x.png` },
      sensitive: false,
      language: { identifier: 'en', name: 'English' },
      audience: `${url}/c/rooks`,
      published: '2026-01-02T03:04:05.123456Z',
    }),
    sees: {
      content:
        /^<p><strong>Look at this<\/strong><\/p><p><a href="https:\/\/example.test\/" [^>]+>https:\/\/example.test\/<\/a><\/p><p><a href="[^"]+\/post\/1"/,
      language: 'en',
      visibility: 'public',
      created_at: '2026-01-02T03:04:05.123Z',
      media: [],
    },
  },
  'Friendica: a page with a link as its url': {
    by: 'friendica',
    path: '/objects/0123456789abcde0',
    object: () => ({
      type: 'Page',
      name: 'On rooks',
      summary: '',
      content: 'They nest',
      url: 'https://example.test/rooks',
      cc: [adaUri],
    }),
    sees: {
      content: /^<p><strong>On rooks<\/strong><\/p><p><a href="https:\/\/example.test\/rooks"/,
      url: `${peer.url}/objects/0123456789abcde0`,
    },
  },
  'Lemmy: a private message': {
    by: 'lemmyUser',
    path: '/private_message/1',
    object: () => ({
      type: 'ChatMessage',
      to: [adaUri],
      content: '<p>Hello over there</p>\n',
      mediaType: 'text/html',
      source: { content: 'Hello over there', mediaType: 'text/markdown' },
    }),
    sees: { content: /Hello over there/, visibility: 'direct', mentions: ['ada'] },
  },
  'Akkoma: a chat message': {
    by: 'akkoma',
    path: '/objects/chat',
    object: (_url, actor) => ({
      type: 'ChatMessage',
      attributedTo: undefined,
      actor: actor.uri,
      to: [adaUri],
      content: 'psst',
      tag: [],
    }),
    sees: { content: 'psst', visibility: 'direct', mentions: ['ada'] },
  },
  'WordPress: an article whose id is a query': {
    by: 'wordpress',
    path: '/?p=12',
    object: (url) => ({
      type: 'Article',
      name: 'On towers',
      nameMap: { en: 'On towers' },
      summary: '<p>An excerpt</p>',
      summaryMap: { en: '<p>An excerpt</p>' },
      content: '<p>long</p>',
      contentMap: { en: '<p>long</p>' },
      url: `${url}/2026/01/on-towers/`,
      to: [PUBLIC, `${url}/wp-json/activitypub/1.0/actors/1/followers`],
      cc: [adaUri],
      attachment: [{ type: 'Image', url: `${url}/wp-content/tower.jpg`, mediaType: 'image/jpeg', name: 'a tower' }],
      preview: { type: 'Note', content: '<p>long</p>' },
      tag: [{ type: 'Hashtag', href: `${url}/tag/towers`, name: '#towers' }],
    }),
    sees: {
      content: /<strong>On towers<\/strong><\/p><p>An excerpt<\/p>/,
      language: 'en',
      media: ['image a tower'],
      visibility: 'public',
    },
  },
  'Ghost: an article with a preview in place of a summary': {
    by: 'odd',
    path: '/.ghost/activitypub/article/7f0c',
    object: (url) => ({
      type: 'Article',
      to: 'as:Public',
      cc: adaUri,
      name: 'On nests',
      content: '<p>long</p>',
      image: `${url}/content/images/nest.jpg`,
      preview: { type: 'Note', id: `${url}/.ghost/activitypub/note/7f0c`, content: 'All about twigs' },
      updated: '2026-01-02T00:00:00Z',
      url: `${url}/on-nests/`,
    }),
    sees: {
      content: /^<p><strong>On nests<\/strong><\/p><p>All about twigs<\/p><p><a href="[^"]+\/on-nests\/"/,
      visibility: 'public',
      edited_at: null,
    },
  },
  'Friendica: a note with the names of other networks': {
    by: 'friendica',
    path: '/objects/0123456789abcdef',
    object: (url, { uri }) => ({
      'diaspora:guid': '0123456789abcdef',
      'diaspora:comment': '{"author":"friend"}',
      context: `${url}/objects/0123456789abcdef#context`,
      conversation: `${url}/objects/0123456789abcdef#context`,
      content: 'plain <b>enough</b>',
      contentMap: { un: 'plain <b>enough</b>' },
      source: { content: 'plain [b]enough[/b]', mediaType: 'text/bbcode' },
      summary: null,
      isTruncated: false,
      sensitive: false,
      directMessage: false,
      'dfrn:location': '',
      to: [PUBLIC],
      cc: [adaUri, uri.replace('/profile/', '/followers/')],
      tag: [],
      attachment: [],
      generator: { type: 'Application', name: 'Friendica', url },
    }),
    extra: { instrument: { type: 'Service', name: 'Friendica 2026' } },
    sees: { content: 'plain <b>enough</b>', visibility: 'public' },
  },
  // Threads has its pages on another domain, and Write.as its blogs.
  'Threads: a page on another host': {
    by: 'odd',
    path: '/ap/users/17841/post/1',
    object: () => ({ content: 'a thread', url: 'https://www.threads.example/@odd/post/1', cc: [adaUri] }),
    sees: { content: 'a thread', url: 'https://www.threads.example/@odd/post/1' },
  },
  'PieFed: a poll whose question is its name': {
    by: 'lemmyUser',
    path: '/c/rooks/p/1/which-rook',
    object: (url) => ({
      type: 'Question',
      name: 'Which rook is <best>?',
      content: '',
      mediaType: 'text/html',
      source: { content: '', mediaType: 'text/markdown' },
      to: [`${url}/c/rooks`, PUBLIC],
      cc: [adaUri],
      endTime: '2999-01-01T00:00:00+00:00',
      oneOf: ['black', 'white'].map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: 0 } })),
    }),
    sees: {
      content: '<p>Which rook is &lt;best&gt;?</p>',
      poll: [
        ['black', 0],
        ['white', 0],
      ],
    },
  },
  'Smithereen: a poll with its question as the name, and text of its own': {
    by: 'odd',
    path: '/posts/54642',
    object: () => ({
      type: 'Question',
      name: 'Rooks & <ravens>?',
      content: '<p>Rooks, I say</p>',
      cc: [adaUri],
      oneOf: ['rooks', 'ravens'].map((name) => ({
        type: 'Note',
        name,
        replies: { type: 'Collection', totalItems: 0 },
      })),
      nonAnonymous: true,
    }),
    sees: { content: '<p><strong>Rooks &amp; &lt;ravens&gt;?</strong></p><p>Rooks, I say</p>', spoiler_text: '' },
  },
  'Mbin: a poll whose summary shortens its question': {
    by: 'odd',
    path: '/m/rooks/t/2',
    object: () => ({
      type: 'Question',
      name: 'Which of these two  rooks is best?',
      content: null,
      contentMap: { en: null },
      summary: 'Which of these... #rooks #polls',
      source: null,
      cc: [adaUri],
      anyOf: ['black', 'white'].map((name) => ({ type: 'Note', name })),
    }),
    sees: { content: '<p>Which of these two  rooks is best?</p>', spoiler_text: '', language: 'en' },
  },
  'Mbin: a thread whose summary is its title': {
    by: 'odd',
    path: '/m/rooks/t/3',
    object: (url) => ({
      type: 'Page',
      name: 'Nests',
      content: null,
      summary: 'Nests #rooks',
      cc: [adaUri],
      attachment: [{ type: 'Image', mediaType: 'image/png', url: `${url}/nest.png`, name: 'a nest' }],
    }),
    sees: { content: /^<p><strong>Nests<\/strong><\/p><p><a [^>]+>[^<]+<\/a><\/p>$/, media: ['image a nest'] },
  },
  'a poll with a title and a content warning': {
    by: 'odd',
    path: '/posts/54643',
    object: () => ({
      type: 'Question',
      name: 'Rooks?',
      summary: 'birds',
      content: '<p>Well?</p>',
      cc: [adaUri],
      oneOf: [{ name: 'yes' }],
    }),
    sees: { content: '<p><strong>Rooks?</strong></p><p>Well?</p>', spoiler_text: 'birds' },
  },
  'Hubzilla: a note with a title': {
    by: 'odd',
    path: '/item/b69c1864',
    object: (_url, { uri }) => ({
      actor: uri,
      name: '&quot;Monday&quot; &amp; co',
      content: 'The <b>first</b> one',
      cc: [adaUri],
    }),
    sees: { content: '<p><strong>"Monday" &amp; co</strong></p>The <b>first</b> one' },
  },
  'Hubzilla: a photo in several sizes': {
    by: 'odd',
    path: '/photo/452583b2',
    object: (url) => ({
      type: 'Image',
      name: 'nest(1).jpg',
      content: '<div>odd posted <a href="https://example.test/">a new photo</a></div>',
      cc: [adaUri],
      url: [
        { type: 'Link', mediaType: 'image/jpeg', href: `${url}/452583b2-0.jpg`, width: 2200, height: 1100 },
        { type: 'Link', mediaType: 'image/jpeg', href: `${url}/452583b2-1.jpg`, width: 1024, height: 512 },
        { type: 'Link', mediaType: 'text/html', href: `${url}/photos/odd/image/452583b2` },
      ],
    }),
    sees: { content: /^<p><strong>nest\(1\).jpg<\/strong>/, media: ['image null'], widths: [2200] },
  },
  'Hubzilla: links to files': {
    by: 'odd',
    path: '/item/files',
    object: (url) => ({
      content: 'heard',
      cc: [adaUri],
      attachment: [
        { type: 'Link', mediaType: 'application/pdf', href: `${url}/a.pdf` },
        { type: 'Link', mediaType: 'audio/mpeg', href: `${url}/attach/1` },
      ],
    }),
    sees: { media: ['audio null'] },
  },
  'Owncast: a preview described in its content': {
    by: 'odd',
    path: '/federation/KjBNuq8ng',
    object: (url) => ({
      content: '<p>live</p>',
      audience: PUBLIC,
      cc: adaUri,
      attachment: { type: 'Image', content: 'The stream', url: `${url}/preview.gif?us=KjfNX387gm` },
    }),
    sees: { media: ['image The stream'] },
  },
  'a note that begins with its title': {
    by: 'odd',
    path: '/item/titled',
    object: () => ({ name: 'Rooks & ravens', content: '<h1>Rooks &amp; ravens</h1><p>Both</p>', cc: [adaUri] }),
    sees: { content: '<p><strong>Rooks &amp; ravens</strong></p><p>Both</p>' },
  },
  'Lotide: a picture with a title, which is its content warning too': {
    by: 'odd',
    path: '/posts/1',
    object: (url) => ({
      name: 'A nest',
      summary: 'A nest',
      to: `${url}/communities/1`,
      cc: [PUBLIC, adaUri],
      attachment: { type: 'Image', url: `${url}/media/nest.png` },
    }),
    sees: { content: '', spoiler_text: 'A nest', visibility: 'unlisted', media: ['image null'] },
  },
  'Loops: a video whose quote is its own page': {
    by: 'odd',
    path: '/ap/users/1/video/2',
    object: (url) => ({
      content: '<p>a dance</p>',
      url: `${url}/v/dance`,
      quote: `${url}/v/dance`,
      cc: [adaUri],
      attachment: [{ type: 'Document', mediaType: 'video/mp4', url: `${url}/dance.mp4`, name: 'a dance' }],
    }),
    sees: { content: '<p>a dance</p>', quote: null, media: ['video a dance'] },
  },
  'Mitra: a link tag that quotes': {
    by: 'mitra',
    path: '/objects/018f-mit',
    object: (url) => ({
      content: '<p>as they said</p>',
      cc: [adaUri],
      tag: [
        {
          type: 'Link',
          name: `RE: ${url}/notes/9k2other`,
          href: `${url}/notes/9k2other`,
          mediaType: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
          rel: ['https://misskey-hub.net/ns#_misskey_quote'],
        },
      ],
    }),
    sees: { content: '<p>as they said</p>', quote: { state: 'pending', quoted_status: null } },
  },
  'odd shapes: objects where others send ids, no date, prefixed names': {
    by: 'odd',
    path: '/odd/notes/1',
    object: (url, { uri }) => ({
      type: ['Note', 'https://odd.test/ns#Thing'],
      attributedTo: [{ id: uri, type: 'Person', name: 'Odd' }],
      contentMap: { fr: '<p>bizarre</p>' },
      to: { id: 'as:Public' },
      cc: adaUri,
      published: undefined,
      tag: { '@type': 'as:Hashtag', name: '#bizarre' },
      attachment: { type: 'Image', url: { type: 'Link', href: `${url}/odd.png`, mediaType: 'image/png' }, name: 'odd' },
      url: [{ type: 'Link', href: `${url}/odd/1.html`, mediaType: 'text/html' }],
      inReplyTo: null,
    }),
    sees: { content: '<p>bizarre</p>', language: 'fr', visibility: 'public', tags: ['bizarre'], media: ['image odd'] },
  },
}

test('posts of other software are read with all their properties', async (t) => {
  const sent = new Map<string, string>()
  for (const [title, { by, path, object, extra }] of Object.entries(cases)) {
    const actor = of[by] as PeerActor
    const note = {
      id: `${peer.url}${path}`,
      type: 'Note',
      attributedTo: actor.uri,
      to: [PUBLIC],
      cc: [],
      published: '2026-01-02T00:00:00Z',
      ...object(peer.url, actor),
    }
    peer.serve(path, note)
    assert.equal(await peer.send(server, actor, createOf(actor, note, extra)), 202, title)
    sent.set(title, note.id)
  }
  await server.drain()
  for (const [title, { sees, by }] of Object.entries(cases))
    await t.test(title, async () => {
      const status = await find(sent.get(title) as string)
      assert.ok(status, 'it did not arrive')
      assert.equal(status.account.acct, `${of[by]?.name}@${peer.domain}`)
      for (const [name, expected] of Object.entries(sees)) {
        const actual = seen(status, name)
        if (expected instanceof RegExp) assert.match(String(actual), expected, name)
        else assert.deepEqual(actual, expected, name)
      }
    })
})

test('a page on another host does not lead to the post that names it', async () => {
  const actor = of.odd as PeerActor
  const victim = `${peer.url.replace('localhost', '127.0.0.1')}/@victim/1`
  const create = peer.create(actor, { cc: [adaUri], url: victim })
  assert.equal(await peer.send(server, actor, create), 202)
  await server.drain()
  const status = await find(create.object.id)
  assert.deepEqual([status.uri, status.url], [create.object.id, victim])
  assert.equal(await find(victim), undefined)
})

function seen(status: any, name: string): unknown {
  if (name === 'media') return status.media_attachments.map(({ type, description }: any) => `${type} ${description}`)
  if (name === 'widths') return status.media_attachments.map(({ meta }: any) => meta.original.width)
  if (name === 'tags') return status.tags.map((tag: any) => tag.name)
  if (name === 'emojis') return status.emojis.map(({ shortcode }: any) => shortcode)
  if (name === 'mentions') return status.mentions.map(({ acct }: any) => acct)
  if (name === 'poll') return status.poll.options.map(({ title, votes_count }: any) => [title, votes_count])
  if (name === 'author') return status.account.username
  return status[name]
}
