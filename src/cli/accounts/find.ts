import type { Context } from '../../context.ts'
import { findUser, type UserSummary } from '../../actions/moderation/users.ts'
import { CommandError } from '../command.ts'

/** The person of that name, with or without a leading @. Throws CommandError. */
export async function userNamed(ctx: Context, name: string | undefined): Promise<UserSummary> {
  const username = (name ?? '').replace(/^@/, '')
  const user = await findUser(ctx, username)
  if (!user) throw new CommandError(`There is no account named ${username} here. See: rookery accounts list`)
  return user
}
