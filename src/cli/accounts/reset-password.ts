import { resetPassword } from '../../actions/moderation/users.ts'
import type { Command } from '../command.ts'
import { userNamed } from './find.ts'

/** rookery accounts reset-password: a new random password, told once. */
export const resetPasswordOf: Command = {
  name: 'accounts reset-password',
  args: ['NAME'],
  summary: 'Give an account a new random password and sign it out everywhere',
  options: {},
  async run({ ctx: open, args }) {
    const ctx = await open()
    const user = await userNamed(ctx, args[0])
    const password = await resetPassword(ctx, user.id)
    return { text: `New password of @${user.username}: ${password}`, json: { username: user.username, password } }
  },
}
