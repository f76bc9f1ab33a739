import type { Context } from '../../context.ts'
import type { RegistrationsMode } from '../../config.ts'
import { sql } from '../../db/sql.ts'
import { Invalid } from '../../lib/errors.ts'
import { getSettings, saveSettings } from '../server/settings.ts'
import { dropOneTimeTokens, findOneTimeToken, issueOneTimeToken, useOneTimeToken } from './one-time.ts'
import { checkNewUser } from './user-rules.ts'
import { createUser, ROLES, type NewIds } from './users.ts'

/** The one-time address of the set-up page; null once there is an owner. A new one each time, the last of which works. */
export async function setUpLink(ctx: Context): Promise<string | null> {
  if (!(await needsSetUp(ctx))) return null
  return `${ctx.config.baseUrl}/auth/setup?token=${await issueOneTimeToken(ctx, 'set-up')}`
}

/** Whether a set-up link works. */
export async function maySetUp(ctx: Context, token: string): Promise<boolean> {
  return (await needsSetUp(ctx)) && (await findOneTimeToken(ctx, 'set-up', token)) !== null
}

/** Whether nobody owns this server yet. */
export async function needsSetUp(ctx: Context): Promise<boolean> {
  if ((await getSettings(ctx)).set_up) return false
  return (await ctx.db.maybe(sql`select from users where role_id = ${ROLES.owner} limit 1`)) === null
}

export type SetUp = {
  username: string
  email: string
  password: string
  title: string
  registrationsMode: RegistrationsMode
}

/** Makes the owner's account and the first settings, once. Throws Invalid; the link then still works. */
export async function setUp(ctx: Context, token: string, form: SetUp): Promise<NewIds> {
  await checkNewUser(ctx, form)
  const owner = {
    username: form.username,
    email: form.email,
    password: form.password,
    role: 'owner',
    confirmed: true,
  } as const
  return createUser(ctx, owner, async (tx) => {
    if (!(await useOneTimeToken(tx, 'set-up', token))) throw new Invalid('This link has been used already')
    await dropOneTimeTokens(tx, 'set-up', null)
    await saveSettings(tx, {
      set_up: true,
      site_title: form.title,
      site_contact_username: form.username,
      site_contact_email: form.email,
      registrations_mode: form.registrationsMode,
    })
  })
}
