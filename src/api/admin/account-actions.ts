import Type from 'typebox'
import { actOnAccount } from '../../actions/moderation/act-on-account.ts'
import { liftState, type ModerationState } from '../../actions/moderation/lift.ts'
import { purgeNow } from '../../actions/moderation/purge.ts'
import { approveSignUp, rejectSignUp } from '../../actions/moderation/review-sign-up.ts'
import { MAX_WARNING_TEXT } from '../../domain/moderation/presets.ts'
import { ACCOUNT_ACTIONS } from '../../domain/moderation/warnings.ts'
import { AdminAccount, presentAdminAccount } from '../../entities/admin/account.ts'
import { Empty } from '../../entities/schema.ts'
import { IdParam, NOT_BLANK } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { Forbidden } from '../../lib/errors.ts'

const moderates = { scope: 'admin:write:accounts', permission: 'manage_users' } as const

export const performAccountAction = route({
  summary: 'Warn an account, and change its state; resolves a report',
  scope: 'admin:write:accounts',
  permission: ['manage_users', 'manage_reports'],
  params: {
    id: IdParam,
    type: Type.Enum([...ACCOUNT_ACTIONS], NOT_BLANK),
    report_id: Type.Optional(IdParam),
    warning_preset_id: Type.Optional(IdParam),
    text: Type.Optional(Type.String({ maxLength: MAX_WARNING_TEXT })),
    send_email_notification: Type.Optional(Type.Boolean()),
  },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await actOnAccount(ctx, viewer.accountId, {
      accountId: params.id,
      type: params.type,
      text: params.text,
      reportId: params.report_id,
      warningPresetId: params.warning_preset_id,
      sendMail: params.send_email_notification,
    })
    return {}
  },
})

export const approveAccount = route({
  summary: 'Let a pending user in',
  ...moderates,
  params: { id: IdParam },
  returns: AdminAccount,
  async handle({ ctx, viewer, params }) {
    await approveSignUp(ctx, viewer.accountId, params.id)
    return presentAdminAccount(ctx, params.id)
  },
})

export const rejectAccount = route({
  summary: 'Delete a pending user',
  ...moderates,
  params: { id: IdParam },
  returns: AdminAccount,
  async handle({ ctx, viewer, params }) {
    const account = await presentAdminAccount(ctx, params.id)
    await rejectSignUp(ctx, viewer.accountId, params.id)
    return account
  },
})

export const deleteAccountData = route({
  summary: 'Delete the data of a suspended account for good; a job does it',
  scope: 'admin:write:accounts',
  permission: 'delete_user_data',
  params: { id: IdParam },
  returns: AdminAccount,
  async handle({ ctx, viewer, params }) {
    await purgeNow(ctx, viewer.accountId, params.id)
    return presentAdminAccount(ctx, params.id)
  },
})

/** As in Mastodon, only an account that is suspended can be restored; ending another state twice is no error. */
const lifting = (state: ModerationState, summary: string) =>
  route({
    summary,
    ...moderates,
    params: { id: IdParam },
    returns: AdminAccount,
    async handle({ ctx, viewer, params }) {
      const lifted = await liftState(ctx, viewer.accountId, { accountId: params.id, state })
      if (!lifted && state === 'suspend') throw new Forbidden()
      return presentAdminAccount(ctx, params.id)
    },
  })

export const enableAccount = lifting('disable', 'Let a disabled user in again')
export const unsensitizeAccount = lifting('sensitive', 'No longer mark all media of an account as sensitive')
export const unsilenceAccount = lifting('silence', 'No longer limit an account')
export const restoreAccount = lifting('suspend', 'Undo the suspension of an account')
