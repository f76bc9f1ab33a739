import type { CliEmojiTexts } from '../en/cli-emoji.ts'

export const deCliEmoji: CliEmojiTexts = {
  commands: {
    'emoji import': {
      summary:
        'Die Bilder eines Ordners, eines tar oder tar.gz, oder ein einzelnes, als eigene Emojis hinzufügen, benannt nach ihren Dateien',
      options: {
        prefix: 'Text vor jedem Namen',
        suffix: 'Text nach jedem Namen',
        category: 'Kategorie der Emojis',
        overwrite: 'Bilder vorhandener Emojis ersetzen; sonst werden sie übersprungen',
        unlisted: 'die Emojis nicht in der Auswahl der Apps zeigen',
        'dry-run': 'nur zeigen, was hinzukäme',
      },
    },
    'emoji export': {
      summary: 'Die eigenen Emojis dieses Servers in ein neues tar.gz schreiben',
      options: { category: 'nur diese Kategorie' },
    },
    'emoji purge': {
      summary: 'Emojis löschen',
      options: {
        remote: 'alle Emojis anderer Server; sie erscheinen wieder, wenn sie verwendet werden',
        suspended: 'nur die Emojis gesperrter Server',
        domain: 'die Emojis eines Servers',
        local: 'die Emojis dieses Servers',
        'dry-run': 'nur zählen',
        yes: 'das Löschen der Emojis dieses Servers bestätigen',
      },
    },
  },
  imported: ({ imported, replaced, skipped, failed }) =>
    `${imported} hinzugefügt, ${replaced} ersetzt, ${skipped} übersprungen, ${failed} fehlgeschlagen`,
  exported: ({ emojis, file }) => `${emojis} nach ${file} geschrieben`,
  exists: ({ file }) => `${file} gibt es schon. Wähle einen anderen Namen.`,
  unreadable: ({ file }) => `${file} lässt sich nicht lesen oder schreiben.`,
  not_an_archive: ({ file }) =>
    `${file} ist weder ein PNG-, GIF- oder WebP-Bild noch ein vollständiges tar- oder tar.gz-Archiv solcher Bilder.`,
}
