// GET /api/v1/accounts/verify_credentials: who am I?
import { CredentialAccount, presentCredentialAccount } from '../../entities/credential-account.ts'
import { route } from '../../http/route.ts'

export const verifyCredentials = route({
  summary: 'The account of the token, as its owner sees it',
  scope: ['read:accounts', 'profile'],
  returns: CredentialAccount,
  handle: ({ ctx, viewer }) => presentCredentialAccount(ctx, viewer.accountId),
})
