import type { Translated } from './pages.ts'

/** The English texts of the `rookery emoji` commands. */
export const enCliEmoji = {
  commands: {
    'emoji import': {
      summary:
        'Add the images of a folder, a tar or a tar.gz, or a single one, as custom emojis, named after their files',
      options: {
        prefix: 'text before each name',
        suffix: 'text after each name',
        category: 'category of the emojis',
        overwrite: 'replace the images of emojis that exist; without it, they are skipped',
        unlisted: 'leave the emojis out of the pickers of apps',
        'dry-run': 'only show what would be imported',
      },
    },
    'emoji export': {
      summary: 'Write the custom emojis of this server to a new tar.gz',
      options: { category: 'only this category' },
    },
    'emoji purge': {
      summary: 'Delete custom emojis',
      options: {
        remote: 'all emojis of other servers; they are listed again when they are used',
        suspended: 'only the emojis of suspended servers',
        domain: 'the emojis of one server',
        local: 'the emojis of this server',
        'dry-run': 'only count them',
        yes: 'confirm the deletion of the emojis of this server',
      },
    },
  },
  imported: ({ imported, replaced, skipped, failed }: Record<'imported' | 'replaced' | 'skipped' | 'failed', number>) =>
    `${imported} imported, ${replaced} replaced, ${skipped} skipped, ${failed} failed`,
  exported: ({ emojis, file }: { emojis: string; file: string }) => `Wrote ${emojis} to ${file}`,
  exists: ({ file }: { file: string }) => `${file} exists already. Choose another name.`,
  unreadable: ({ file }: { file: string }) => `${file} cannot be read or written.`,
  not_an_archive: ({ file }: { file: string }) =>
    `${file} is neither a PNG, GIF or WebP image nor a whole tar or tar.gz archive of such images.`,
}

export type CliEmojiTexts = Translated<typeof enCliEmoji>
