// /admin/accounts/:id: the facts about an account, and the acts of moderators on it. Its sections are in account-sections.ts.
import type { FastifyReply } from 'fastify'
import { addAccountNote, removeAccountNote } from '../../actions/moderation/account-notes.ts'
import { actOnAccount } from '../../actions/moderation/act-on-account.ts'
import { assignRole } from '../../actions/admin/roles.ts'
import {
  changeEmailOf,
  confirmUser,
  disableSecondFactors,
  mailPasswordReset,
  resendConfirmation,
} from '../../actions/moderation/change-user.ts'
import { setMemorial } from '../../actions/moderation/memorial.ts'
import { liftState, type ModerationState } from '../../actions/moderation/lift.ts'
import { purgeNow } from '../../actions/moderation/purge.ts'
import { refreshRemoteAccount } from '../../actions/moderation/refresh-account.ts'
import { type ProfileImage, removeProfileImage } from '../../actions/moderation/remove-image.ts'
import { approveSignUp, rejectSignUp } from '../../actions/moderation/review-sign-up.ts'
import { previewSuspension } from '../../domain/moderation/account-page.ts'
import { listConcerned, type SeveredAccount } from '../../domain/moderation/severance-events.ts'
import { getModerated, labelOf } from '../../domain/moderation/accounts.ts'
import { ACCOUNT_ACTIONS } from '../../domain/moderation/warnings.ts'
import { staffMay } from '../../domain/auth/staff.ts'
import type { Permission } from '../../domain/auth/viewer.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { numberText } from '../../html/texts.ts'
import { NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId, isSignedId } from '../../lib/ids.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { isolated, readAccountPage, suspensionFigures } from './account-parts.ts'
import { accountBody } from './account-sections.ts'
import { registerAccountStatuses } from './account-statuses.ts'
import { sendConfirmationPage } from './forms.ts'
import {
  ACCOUNT_PERMISSIONS,
  mayOpen,
  mayOpenAccounts,
  sendAdminPage,
  type AdminRouter,
  type AdminVisit,
} from './frame.ts'
import { accountChip, dataTable, definitions } from './kit.ts'

const ROOT = '/admin/accounts'

/** Returns the notice to show. Throws Invalid for problems with the form. */
type Act = (visit: AdminVisit, id: string) => Promise<string>

export function registerAccountPage(router: AdminRouter): void {
  router.get(`${ROOT}/:id`, (visit) => show(visit), { permissions: ACCOUNT_PERMISSIONS })
  registerAccountStatuses(router)
  router.post(`${ROOT}/:id/action`, act, { permissions: ['manage_users', 'manage_reports'] })
  router.post(`${ROOT}/:id/delete`, deleteData, { permissions: ['delete_user_data'] })
  router.post(`${ROOT}/:id/memorialize`, makeMemorial, { permissions: ['delete_user_data'] })
  router.post(`${ROOT}/:id/reject`, reject)
  const forms = (acts: Record<string, Act>, ...permissions: Permission[]): void => {
    for (const [name, run] of Object.entries(acts))
      router.post(`${ROOT}/:id/${name}`, (visit) => perform(visit, run), { permissions })
  }
  forms(ACTS, 'manage_users')
  forms(NOTE_ACTS, 'manage_users', 'manage_reports')
  forms(ACCESS_ACTS, 'manage_user_access')
  forms({ role: changeRole }, 'manage_roles')
  forms({ refresh }, 'manage_users', 'manage_federation')
  forms({ unmemorialize: memorializing(false) }, 'delete_user_data')
}

async function show(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t } = visit
  const mayKnow = staffMay(visit.staff, 'manage_users', 'manage_user_access')
  const page = await readAccountPage(visit.ctx, pathId(visit), mayKnow)
  return sendAdminPage(visit, {
    title: isolated(`@${page.account.account.acct}`),
    ...(mayOpen(visit, ROOT) && { back: { href: ROOT, label: t.admin.accounts.account.all } }),
    notices: { ...t.admin.accounts.notices, ...t.admin.frame.notes.notices },
    problems,
    body: (csrf) => accountBody(visit, page, problems, csrf),
  })
}

async function perform(visit: AdminVisit, run: Act): Promise<FastifyReply> {
  const { t, reply } = visit
  const id = pathId(visit)
  try {
    return await reply.redirect(`${ROOT}/${id}?notice=${await run(visit, id)}`, 303)
  } catch (error) {
    // Some staff may use forms of the page that they may not see.
    if (!mayOpenAccounts(visit.staff)) throw error
    const parameter = (field: string): string => (visit.request.url.endsWith('/notes') ? 'note' : field)
    return show(visit, problemsOf(t, error, parameter))
  }
}

const lifting =
  (state: ModerationState): Act =>
  async ({ ctx, staff }, accountId) => {
    await liftState(ctx, staff.accountId, { accountId, state })
    return 'lifted'
  }

const removing =
  (image: ProfileImage): Act =>
  async ({ ctx, staff }, id) => {
    await removeProfileImage(ctx, staff.accountId, id, image)
    return 'image_removed'
  }

const ACTS: Record<string, Act> = {
  enable: lifting('disable'),
  unsensitive: lifting('sensitive'),
  unsilence: lifting('silence'),
  unsuspend: lifting('suspend'),
  async approve({ ctx, staff }, id) {
    await approveSignUp(ctx, staff.accountId, id)
    return 'approved'
  },
  remove_avatar: removing('avatar'),
  remove_header: removing('header'),
}

const NOTE_ACTS: Record<string, Act> = {
  async notes({ ctx, staff, request }, id) {
    await addAccountNote(ctx, staff.accountId, id, textParam(request.body, 'note'))
    return 'note_added'
  },
  async 'notes/delete'({ ctx, staff, request }, id) {
    const noteId = textParam(request.body, 'note_id')
    if (!isId(noteId)) throw new NotFound()
    await removeAccountNote(ctx, staff.accountId, id, noteId)
    return 'note_deleted'
  },
}

const refresh: Act = async ({ ctx, staff }, id) => {
  await refreshRemoteAccount(ctx, staff.accountId, id)
  return 'refreshing'
}

async function reject(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const id = pathId(visit)
  if (textParam(request.body, 'confirmed') !== '1') {
    const { list } = t.admin.accounts
    return sendConfirmationPage(visit, {
      title: isolated(labelOf(await getModerated(ctx, id))),
      lead: list.reject_lead({ count: 1 }),
      action: `${ROOT}/${id}/reject`,
      confirm: list.reject,
      cancel: `${ROOT}/${id}`,
    })
  }
  await rejectSignUp(ctx, staff.accountId, id)
  return reply.redirect(`${ROOT}/pending?notice=done`, 303)
}

const ACCESS_ACTS: Record<string, Act> = {
  async email({ ctx, staff, request }, id) {
    await changeEmailOf(ctx, staff.accountId, id, textParam(request.body, 'email').trim())
    return 'changed'
  },
  async confirm({ ctx, staff }, id) {
    await confirmUser(ctx, staff.accountId, id)
    return 'changed'
  },
  async resend({ ctx, staff }, id) {
    await resendConfirmation(ctx, staff.accountId, id)
    return 'mailed'
  },
  async password({ ctx, staff }, id) {
    await mailPasswordReset(ctx, staff.accountId, id)
    return 'mailed'
  },
  async two_factor({ ctx, staff }, id) {
    await disableSecondFactors(ctx, staff.accountId, id)
    return 'changed'
  },
}

const changeRole: Act = async ({ ctx, staff, request }, id) => {
  const role = textParam(request.body, 'role')
  if (!isSignedId(role)) throw new NotFound()
  await assignRole(ctx, staff.accountId, id, role)
  return 'changed'
}

async function act(visit: AdminVisit): Promise<FastifyReply> {
  const { body } = visit.request
  const type = ACCOUNT_ACTIONS.find((name) => name === textParam(body, 'type')) ?? 'none'
  if (type === 'suspend' && textParam(body, 'confirmed') !== '1') return askToSuspend(visit)
  return perform(visit, async ({ ctx, staff }, accountId) => {
    const preset = textParam(body, 'warning_preset_id')
    await actOnAccount(ctx, staff.accountId, {
      accountId,
      type,
      text: textParam(body, 'text'),
      warningPresetId: isId(preset) ? preset : undefined,
      sendMail: textParam(body, 'send_email_notification') === '1',
      once: true,
    })
    return 'acted'
  })
}

/** Shows the effects of a suspension, and asks before it happens. */
async function askToSuspend(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const id = pathId(visit)
  const texts = t.admin.accounts.account
  const [account, preview, concerned] = await Promise.all([
    getModerated(ctx, id),
    previewSuspension(ctx, id),
    listConcerned(ctx, id, MAX_CONCERNED),
  ])
  const sent = (name: string): string => textParam(request.body, name)
  return sendConfirmationPage(visit, {
    title: texts.suspend_title.replace('{name}', isolated(labelOf(account))),
    lead: texts.suspend_lead,
    dryRun: html`${suspensionFigures(t, preview, { withRemoteFollows: account.domain === null })}
${concerned.length > 0 && concernedTable(visit, concerned)}`,
    action: `${ROOT}/${id}/action`,
    hidden: {
      type: 'suspend',
      text: sent('text'),
      warning_preset_id: sent('warning_preset_id'),
      send_email_notification: sent('send_email_notification'),
    },
    confirm: texts.type_suspend,
    cancel: `${ROOT}/${id}`,
  })
}

/** Accounts that the dry run lists. */
const MAX_CONCERNED = 100

function concernedTable({ ctx, t }: AdminVisit, concerned: readonly SeveredAccount[]): Html {
  const texts = t.admin.accounts.account
  const yesNo = (yes: boolean): string => (yes ? t.admin.frame.yes : t.admin.frame.no)
  return dataTable<SeveredAccount>(t, {
    caption: texts.concerned,
    rows: concerned,
    empty: html``,
    columns: [
      {
        label: texts.concerned,
        kind: 'main',
        cell: ({ id, username }) => accountChip(ctx, { id, acct: username, username }),
      },
      { label: texts.loses_follow, cell: ({ follows }) => yesNo(follows) },
      { label: texts.loses_follower, cell: ({ followed }) => yesNo(followed) },
    ],
  })
}

const memorializing =
  (memorial: boolean): Act =>
  async ({ ctx, staff }, accountId) => {
    await setMemorial(ctx, staff.accountId, { accountId, memorial })
    return 'changed'
  }

async function makeMemorial(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const id = pathId(visit)
  if (textParam(request.body, 'confirmed') === '1') return perform(visit, memorializing(true))
  const texts = t.admin.accounts.account
  return sendConfirmationPage(visit, {
    title: isolated(labelOf(await getModerated(ctx, id))),
    lead: texts.memorialize_lead,
    action: `${ROOT}/${id}/memorialize`,
    confirm: texts.memorialize,
    danger: false,
    cancel: `${ROOT}/${id}`,
  })
}

async function deleteData(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const id = pathId(visit)
  const texts = t.admin.accounts.account
  if (textParam(request.body, 'confirmed') === '1')
    return perform(visit, async ({ staff }) => {
      await purgeNow(ctx, staff.accountId, id)
      return 'deleting'
    })
  const preview = await previewSuspension(ctx, id)
  return sendConfirmationPage(visit, {
    title: isolated(labelOf(await getModerated(ctx, id))),
    lead: texts.delete_lead,
    dryRun: definitions([
      [texts.statuses, numberText(t, preview.statuses)],
      [texts.media, numberText(t, preview.media)],
    ]),
    action: `${ROOT}/${id}/delete`,
    confirm: texts.delete,
    cancel: `${ROOT}/${id}`,
  })
}
