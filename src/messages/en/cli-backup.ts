import type { Translated } from './pages.ts'
import { plural } from '../plural.ts'

/** The English texts of `rookery backup` and `rookery restore`. */
export const enCliBackup = {
  commands: {
    backup: {
      summary: 'Write one archive of the database, the keys and a list of all media, while the server runs',
      options: {
        media:
          'put uploaded files into the archive too; copies of remote media are left out, as the server fetches them again',
      },
    },
    restore: {
      summary: 'Bring an archive of `rookery backup` into an empty server. The whole archive is verified first',
      options: { 'dry-run': 'only verify the archive' },
    },
  },
  problems: {
    file_exists: ({ file }: { file: string }) => `${file} exists already. Choose another name.`,
    no_file: ({ file }: { file: string }) => `${file} cannot be read.`,
    not_writable: ({ file, code }: { file: string; code: string }) =>
      `${file} cannot be written (${code}). Check that the folder exists, that this user may write to it, and that the disk has room.`,
    not_a_backup: ({ file }: { file: string }) => `${file} is not an archive of rookery backup.`,
    damaged: ({ member }: { member: string }) => `The archive is damaged (${member}). Nothing was changed.`,
    incomplete: 'The archive is incomplete. Nothing was changed.',
    newer: ({ version }: { version: string }) =>
      `The archive comes from Rookery ${version}, which this checkout does not know. Update it, or check out that version. Nothing was changed.`,
    other_domain: ({ theirs, own }: { theirs: string; own: string }) =>
      `The archive belongs to ${theirs}, and this server is ${own}. Set LOCAL_DOMAIN=${theirs}. Nothing was changed.`,
    other_secret:
      'SECRET_KEY_BASE differs from the one in the archive. Unset it, or set it to the one of the archive. Nothing was changed.',
    no_secret:
      'The secret key cannot be read. Run the command as the user of the server, with the same DATA_DIR and SECRET_KEY_BASE.',
    not_migrated: 'There is no Rookery in this database.',
    not_empty:
      'This server has accounts or posts already. An archive is restored into an empty server only. Nothing was changed.',
    running: 'The server is running. Stop it first. Nothing was changed.',
  },
  tables: ({ done, total, table, size }: { done: number; total: number; table: string; size: string }) =>
    `${done} of ${total} tables (${table}), ${size}`,
  steps: {
    verify: ({ size }: { size: string }) => `Verifying, ${size}`,
    restore: ({ size }: { size: string }) => `Restoring, ${size}`,
    check: 'Checking the restored data',
  },
  done: ({
    file,
    rows,
    files,
    included,
    size,
  }: Record<'file' | 'rows' | 'files' | 'size', string> & { included: number }) =>
    `Wrote ${file}: ${rows}, ${files} listed, ${included} included, ${size}. Keep it private: it contains the keys.`,
  good: ({ domain, date, rows, files }: Record<'domain' | 'date' | 'rows' | 'files', string>) =>
    `The archive of ${domain} from ${date} is whole: ${rows}, ${files}.`,
  restored: ({ domain, date, rows, files }: Record<'domain' | 'date' | 'rows' | 'files', string>) =>
    `Restored ${domain} as of ${date}: ${rows}, ${files}. Start the server now.`,
  missing: ({ count }: { count: number }) =>
    plural('en', count, { one: '# uploaded file is missing.', other: '# uploaded files are missing.' }) +
    ' Copy the folder files/ of the old data directory to this one.',
}

export type CliBackupTexts = Translated<typeof enCliBackup>
