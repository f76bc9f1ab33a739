// GET /api/v1/accounts/:id, GET /api/v1/accounts?id[]=…, GET /api/v1/accounts/lookup: known accounts, as anybody may see them.
import Type from 'typebox'
import { findShownIds, getOpenAccount, lookupHandle } from '../../domain/accounts/find.ts'
import { refreshForViewer } from '../../actions/remote/resolve-account.ts'
import { Account } from '../../entities/account.ts'
import { presentAccount, presentAccountList } from '../../entities/account-presenter.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'

/** How many accounts are given at once. */
const MAX_IDS = 40

export const getAccount = route({
  summary: 'An account. 410 when it is suspended',
  auth: 'public',
  scope: 'read:accounts',
  cacheable: true,
  params: { id: IdParam },
  returns: Account,
  async handle({ ctx, viewer, params }) {
    const account = await getOpenAccount(ctx, params.id)
    if (viewer) await refreshForViewer(ctx, account)
    return presentAccount(ctx, account.id)
  },
})

export const getAccounts = route({
  summary: 'Several accounts at once; unknown ones are left out',
  auth: 'public',
  scope: 'read:accounts',
  params: { id: Type.Optional(Type.Array(IdParam, { maxItems: MAX_IDS })) },
  returns: Type.Array(Account),
  async handle({ ctx, params }) {
    return presentAccountList(ctx, await findShownIds(ctx, params.id ?? [], { suspended: true }))
  },
})

export const lookupAccount = route({
  summary: 'The account of a handle, if it is known here',
  auth: 'public',
  scope: 'read:accounts',
  params: { acct: Type.String() },
  returns: Account,
  async handle({ ctx, viewer, params }) {
    const account = await lookupHandle(ctx, params.acct)
    if (!account) throw new NotFound()
    if (viewer) await refreshForViewer(ctx, account)
    return presentAccount(ctx, account.id)
  },
})
