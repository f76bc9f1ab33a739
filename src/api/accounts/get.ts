import { refreshForViewer, searchAndResolveAccounts } from '../../actions/remote/resolve-account.ts'
import { findShownIds, getUnsuspendedAccount, lookupHandle } from '../../domain/accounts/find.ts'
import { listDirectory } from '../../domain/search/directory.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { presentAccount, presentAccountList } from '../../entities/account-presenter.ts'
import { Account } from '../../entities/account.ts'
import { offsetPageOf, offsetParams } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'
import Type from 'typebox'

const MAX_IDS = 40

export const showAccount = route({
  summary: 'An account. 410 when it is suspended',
  auth: 'public',
  scope: 'read:accounts',
  cacheable: true,
  params: { id: IdParam },
  returns: Account,
  async handle({ ctx, viewer, params }) {
    const account = await getUnsuspendedAccount(ctx, params.id)
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
  summary: 'A known account by its handle',
  auth: 'public',
  scope: 'read:accounts',
  cacheable: true,
  params: { acct: Type.Optional(Type.String()) },
  returns: Account,
  async handle({ ctx, viewer, params }) {
    const account = await lookupHandle(ctx, params.acct ?? '')
    if (!account) throw new NotFound()
    if (viewer) await refreshForViewer(ctx, account)
    return presentAccount(ctx, account.id)
  },
})

export const searchForAccounts = route({
  summary: 'Accounts by handle or name, exact handles first',
  scope: 'read:accounts',
  params: {
    // Optional here: clients ask while the user types, and the box may be empty.
    q: Type.Optional(Type.String()),
    ...offsetParams,
    resolve: Type.Optional(Type.Boolean()),
    following: Type.Optional(Type.Boolean()),
  },
  returns: Type.Array(Account),
  async handle({ ctx, viewer, params }) {
    const me = viewer.accountId
    const ids = await searchAndResolveAccounts(ctx, {
      q: params.q ?? '',
      ...offsetPageOf(params, 40),
      resolve: params.resolve ?? false,
      followedBy: params.following ? me : null,
      viewerId: me,
    })
    return presentAccountList(ctx, ids)
  },
})

export const getDirectory = route({
  summary: 'Discoverable accounts, the recently active or the new ones first',
  auth: 'public',
  cacheable: true,
  params: {
    ...offsetParams,
    order: Type.Optional(Type.Enum(['active', 'new'])),
    local: Type.Optional(Type.Boolean()),
  },
  returns: Type.Array(Account),
  async handle({ ctx, viewer, params }) {
    if (!(await getSettings(ctx)).profile_directory) throw new NotFound()
    const ids = await listDirectory(ctx, viewer, {
      order: params.order ?? 'active',
      local: params.local ?? false,
      ...offsetPageOf(params, 40),
    })
    return presentAccountList(ctx, ids)
  },
})
