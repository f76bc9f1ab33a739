import Type from 'typebox'
import { Compile } from 'typebox/compile'

const oneOf = (names: string) => Type.Union(names.split(' ').map((name) => Type.Literal(name)))
const closed = { additionalProperties: false }
const count = Type.Optional(Type.Integer({ minimum: 0 }))

/** NodeInfo 2.0 as its authors published it. */
export const NodeInfo = Compile(
  Type.Object(
    {
      version: Type.Literal('2.0'),
      software: Type.Object({ name: Type.String({ pattern: '^[a-z0-9-]+$' }), version: Type.String() }, closed),
      protocols: Type.Array(oneOf('activitypub buddycloud dfrn diaspora libertree ostatus pumpio tent xmpp zot'), {
        minItems: 1,
      }),
      services: Type.Object(
        {
          inbound: Type.Array(oneOf('atom1.0 gnusocial imap pnut pop3 pumpio rss2.0 twitter')),
          outbound: Type.Array(
            oneOf(
              'atom1.0 blogger buddycloud diaspora dreamwidth drupal facebook friendica gnusocial google insanejournal libertree linkedin livejournal mediagoblin myspace pinterest pnut posterous pumpio redmatrix rss2.0 smtp tent tumblr twitter wordpress xmpp',
            ),
          ),
        },
        closed,
      ),
      openRegistrations: Type.Boolean(),
      usage: Type.Object(
        {
          users: Type.Object({ total: count, activeHalfyear: count, activeMonth: count }, closed),
          localPosts: count,
          localComments: count,
        },
        closed,
      ),
      metadata: Type.Object({}),
    },
    closed,
  ),
)
