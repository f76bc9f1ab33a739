import Type, { type Static } from 'typebox'

/** The claims of OpenID Connect that the `profile` scope opens. */
export const UserInfo = Type.Object(
  {
    iss: Type.String(),
    sub: Type.String(),
    name: Type.String(),
    preferred_username: Type.String(),
    profile: Type.String(),
    picture: Type.String(),
  },
  { $id: 'UserInfo' },
)
export type UserInfo = Static<typeof UserInfo>
