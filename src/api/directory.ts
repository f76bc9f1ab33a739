// GET /api/v1/directory: accounts that want to be found.
import Type from 'typebox'
import { listDirectory } from '../domain/search/directory.ts'
import { getSettings } from '../domain/server/settings.ts'
import { Account } from '../entities/account.ts'
import { presentAccountList } from '../entities/account-presenter.ts'
import { limitOf, offsetParams } from '../http/paginate.ts'
import { route } from '../http/route.ts'
import { NotFound } from '../lib/errors.ts'

export const directory = route({
  summary: 'Accounts that want to be found, the lately active or the new ones first',
  auth: 'public',
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
      limit: limitOf(params, 40),
      offset: Math.max(0, params.offset ?? 0),
    })
    return presentAccountList(ctx, ids)
  },
})
