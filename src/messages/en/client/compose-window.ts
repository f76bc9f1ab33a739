export const enClientComposeWindow = {
  pop_out: 'Write in a window of its own',
  pop_in: 'Back to the main window',
  blocked: 'The browser opened no window. Allow this site to open pop-ups, then try again.',
  not_stored: 'This browser could not store the draft, so it stays in this window.',
}

export type ClientComposeWindowTexts = typeof enClientComposeWindow
