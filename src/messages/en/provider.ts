import type { Translated } from './pages.ts'

type Named = { name: string }

/** The English texts about signing in at the identity provider. `name`: what the configuration calls it. */
export const enProvider = {
  sign_in: ({ name }: Named) => `Sign in with ${name}`,
  sign_up: ({ name }: Named) => `Sign up with ${name}`,
  only: ({ name }: Named) => `This server takes no passwords and no passkeys. Sign in with ${name}.`,
  leaving: ({ name }: Named) => `You are on your way to ${name}. If nothing happens, continue with the button.`,
  almost: ({ name }: Named) => `You have signed in with ${name}. One more step, and you have an account here.`,
  username: 'Your handle will be {handle}. You cannot change it later.',
  email: 'Your e-mail address is {email}. It is not shown to others.',
  email_unverified:
    'Your e-mail address is {email}. It is not shown to others. We send it a link to confirm the address.',
  applied: 'Thank you for your application',
  back: 'Back to the settings',
  problems: {
    denied: {
      title: 'You were not signed in',
      text: ({ name }: Named) =>
        `${name} has not signed you in, or you have cancelled it there. Try again, or ask the people who run ${name} whether you have access.`,
    },
    unreachable: {
      title: 'No answer',
      text: ({ name }: Named) =>
        `This server cannot reach ${name} at the moment. Try again in a few minutes. If it keeps happening, write to the administrators of this server.`,
    },
    clock: {
      title: 'The clocks differ',
      text: ({ name }: Named) =>
        `The clock of ${name} or of this server is wrong, so that the sign-in cannot be verified. Try again in a few minutes. If it keeps happening, write to the administrators of this server.`,
    },
    invalid: {
      title: 'The sign-in could not be verified',
      text: ({ name }: Named) =>
        `This server cannot verify the response of ${name}. Try again. If it keeps happening, write to the administrators of this server: its log says why.`,
    },
    expired: {
      title: 'This sign-in has ended',
      text: ({ name }: Named) =>
        `Signing in with ${name} took too long, was answered before, or began in another browser. Start again here, and allow cookies for this server.`,
    },
    taken: {
      title: 'You have an account here already',
      text: ({ name }: Named) =>
        `An account on this server has the e-mail address that ${name} gives for you. Sign in to it the way you did before, and connect it with ${name} in the settings, under “Password and e-mail”. If you cannot sign in, write to the administrators of this server.`,
    },
    connected: {
      title: 'This connection is not possible',
      text: ({ name }: Named) =>
        `Your account at ${name} is connected with another account here, or your account here with another one at ${name}. Remove that connection first.`,
    },
  },
  connect: ({ name }: Named) => `Connect with ${name}`,
  connect_hint: ({ name }: Named) => `Connect your account with ${name} to sign in here with ${name}.`,
  connected_since: ({ name }: Named) => `You have been able to sign in with ${name} since {day}.`,
  disconnect: 'Remove the connection',
  disconnect_needs_password:
    'To remove the connection, you need a password: otherwise you could no longer sign in. {link}',
  choose_password: ({ name }: Named) => `You have no password: you sign in with ${name}. {link}`,
  choose_password_link: 'Choose a password',
  notices: {
    connected: 'Your account is connected.',
    disconnected:
      'The connection is removed, and other browsers are signed out. From now on, sign in with your password.',
  },
  sign_in_again: ({ name }: Named) =>
    `Your last sign-in with ${name} was some time ago. {link} before you continue. If ${name} does not ask who you are, sign out there first.`,
  sign_in_again_link: 'Sign in again',
  not_fresh: 'You signed in too long ago. Sign in again, and repeat it within 15 minutes.',
}

export type ProviderTexts = Translated<typeof enProvider>
