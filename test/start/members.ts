import type { Backend } from '../../src/backend.ts'
import { insertApp } from '../../src/domain/auth/apps.ts'
import { issueToken } from '../../src/domain/auth/tokens.ts'
import { createUser } from '../../src/domain/auth/users.ts'
import { PASSWORD, passwordHash } from '../support/passwords.ts'
import { DEFAULT_SCOPES } from '../support/server.ts'

export type Member = { id: string; username: string; token: string }

/** Creates accounts, each with a token. */
export async function members({ ctx }: Backend, names: readonly string[]): Promise<Member[]> {
  const app = await insertApp(ctx, {
    name: 'Tests',
    website: null,
    redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
    scopes: DEFAULT_SCOPES,
  })
  return Promise.all(
    names.map(async (username) => {
      const { accountId, userId } = await createUser(ctx, {
        username,
        email: `${username}@localhost`,
        password: PASSWORD,
        passwordHash: passwordHash(),
        confirmed: true,
      })
      const { token } = await issueToken(ctx, { appId: app.id, userId, scopes: DEFAULT_SCOPES })
      return { id: accountId, username, token }
    }),
  )
}
