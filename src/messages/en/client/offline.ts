export const enClientOffline = {
  too_many_requests: 'Too many requests. Wait a minute, then try again.',
  unavailable: 'The server is not available at the moment. Please try again soon.',
  too_large: 'This is more than the server accepts. Choose a smaller file or shorten the text.',
  sign_out: 'Sign out',
  sign_out_question: 'Sign out?',
  sign_out_explanation:
    'Drafts, unsent posts and everything else that this device has stored for your account will be deleted.',
  sign_out_of: ({ handle }: { handle: string }) => `Sign out of @${handle}`,
  switch_to: ({ handle }: { handle: string }) => `Switch to @${handle}`,
  add_account: 'Add another account',
  account_gone: 'You are signed out of that account.',
  install: 'Install app',
  push_on: 'Show notifications on this device',
  push_alerts: 'Notify me of',
  push_from: 'From',
  push_from_all: 'Everyone',
  push_from_followed: 'People I follow',
  push_from_follower: 'My followers',
}

export type ClientOfflineTexts = typeof enClientOffline
