import { plural } from '../../plural.ts'

export const enClientTransfer = {
  title: 'Settings as a file',
  explanation:
    'Takes these settings and your columns to another browser. There are no passwords or other secrets in the file.',
  with_drafts: 'With drafts',
  with_drafts_hint: 'Their texts only: attachments stay on this device.',
  export: 'Export',
  import: 'Import…',
  preview_title: 'Import these settings?',
  from: 'From {account}, {time}',
  other_account: 'The file is from another account, so its columns and drafts are left out.',
  nothing: 'Everything is already as in the file.',
  change: '{before} → {after}',
  on: 'On',
  off: 'Off',
  apply: 'Import',
  imported: 'Settings imported',
  unknown: 'This is not a settings file. Choose one that was exported here.',
  too_new: 'A newer version has made this file. Reload this page and try again.',
  too_large: 'The file is too large.',
  drafts_added: ({ count }: { count: number }) =>
    plural('en', count, { one: '# draft will be added.', other: '# drafts will be added.' }),
}

export type ClientTransferTexts = typeof enClientTransfer
