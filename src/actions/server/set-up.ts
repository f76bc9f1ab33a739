// The set-up of a new server by its owner, through a link that the start prints.
import type { RegistrationsMode } from '../../config.ts'
import type { Context } from '../../context.ts'
import {
  deleteOneTimeTokens,
  findOneTimeToken,
  issueOneTimeToken,
  useOneTimeToken,
} from '../../domain/auth/one-time.ts'
import { checkNewUser } from '../../domain/auth/user-rules.ts'
import { type NewIds, createUser, hasOwner, ROLES } from '../../domain/auth/users.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { Invalid } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { saveSettings } from './settings.ts'

/** Replaces earlier links. Null once the server has an owner. */
export async function setUpLink(ctx: Context): Promise<string | null> {
  if (!(await needsSetUp(ctx))) return null
  return `${ctx.config.baseUrl}/auth/setup?token=${await issueOneTimeToken(ctx, 'set-up')}`
}

export const isSetUpLinkValid = async (ctx: Context, token: string): Promise<boolean> =>
  (await needsSetUp(ctx)) && (await findOneTimeToken(ctx, 'set-up', token)) !== null

export const needsSetUp = async (ctx: Context): Promise<boolean> =>
  !(await getSettings(ctx)).set_up && !(await hasOwner(ctx))

type SetUp = {
  username: string
  email: string
  password: string
  title: string
  registrationsMode: RegistrationsMode
}

/** Works once. After Invalid the link still works. */
export async function setUp(ctx: Context, token: string, form: SetUp): Promise<NewIds> {
  await checkNewUser(ctx, form)
  const { username, email, password } = form
  return createUser(ctx, { username, email, password, roleId: ROLES.owner, confirmed: true }, async (tx) => {
    if (!(await useOneTimeToken(tx, 'set-up', token))) throw new Invalid(message('link_used'))
    await deleteOneTimeTokens(tx, 'set-up', null)
    await saveSettings(tx, {
      set_up: true,
      site_title: form.title,
      site_contact_username: username,
      site_contact_email: email,
      registrations_mode: form.registrationsMode,
    })
  })
}
