// POST /api/v1/accounts/:id/endorse, /unendorse and their old names /pin, /unpin; GET /api/v1/accounts/:id/endorsements
import Type from 'typebox'
import { getShownAccount } from '../../domain/accounts/find.ts'
import { endorse, listEndorsements, unendorse } from '../../domain/relationships/endorse.ts'
import { Account } from '../../entities/account.ts'
import { presentAccountList } from '../../entities/account-presenter.ts'
import { presentRelationship, Relationship } from '../../entities/relationship.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { route, type Route } from '../../http/route.ts'

/** The old names went with 4.4, of 2025-07-08. */
const SINCE_4_4 = 1_751_932_800

const endorsing = (name: 'endorse' | 'pin', old?: { deprecated: number }): Route =>
  route(`POST /api/v1/accounts/:id/${name}`, {
    summary: "Put somebody who is followed forward on the caller's profile",
    scope: 'write:accounts',
    returns: Relationship,
    ...old,
    async handle({ ctx, viewer, params }) {
      const { id } = await getShownAccount(ctx, params.id)
      await endorse(ctx, viewer.accountId, id)
      return presentRelationship(ctx, viewer, id)
    },
  })

const unendorsing = (name: 'unendorse' | 'unpin', old?: { deprecated: number }): Route =>
  route(`POST /api/v1/accounts/:id/${name}`, {
    summary: 'Put somebody forward no longer',
    scope: 'write:accounts',
    returns: Relationship,
    ...old,
    async handle({ ctx, viewer, params }) {
      const { id } = await getShownAccount(ctx, params.id)
      await unendorse(ctx, viewer.accountId, [id])
      return presentRelationship(ctx, viewer, id)
    },
  })

export const endorseAccount = endorsing('endorse')
export const unendorseAccount = unendorsing('unendorse')
export const pinAccount = endorsing('pin', { deprecated: SINCE_4_4 })
export const unpinAccount = unendorsing('unpin', { deprecated: SINCE_4_4 })

export const getAccountEndorsements = route('GET /api/v1/accounts/:id/endorsements', {
  summary: 'Whom an account puts forward',
  auth: 'public',
  scope: 'read:accounts',
  params: Type.Object(pageParams),
  returns: Type.Array(Account),
  async handle(call) {
    const { ctx, viewer, params } = call
    const { id } = await getShownAccount(ctx, params.id)
    const page = pageOf(params, 40)
    const rows = await listEndorsements(ctx, viewer, id, page)
    setLinks(call, { ids: rows.map((row) => row.id), page, prev: 'since_id' })
    return presentAccountList(
      ctx,
      rows.map((row) => row.account_id),
    )
  },
})
