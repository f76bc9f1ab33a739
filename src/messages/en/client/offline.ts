export const enClientOffline = {
  too_many_requests: 'Too many requests. Wait a minute, then try again.',
  unavailable: 'The server is not available at the moment. Please try again soon.',
  sign_out: 'Sign out',
  sign_out_question: 'Sign out?',
  sign_out_explanation:
    'Drafts, unsent posts and everything else that this device has stored for your account will be deleted.',
  update_ready: 'A new version is ready.',
  update: 'Reload to update',
  install: 'Install app',
}

export type ClientOfflineTexts = typeof enClientOffline
