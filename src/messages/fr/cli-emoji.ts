import type { CliEmojiTexts } from '../en/cli-emoji.ts'

export const frCliEmoji: CliEmojiTexts = {
  commands: {
    'emoji import': {
      summary:
        'Ajouter les images d’un dossier, d’un tar ou d’un tar.gz, ou une seule, comme émojis, nommés d’après leurs fichiers',
      options: {
        prefix: 'texte avant chaque nom',
        suffix: 'texte après chaque nom',
        category: 'catégorie des émojis',
        overwrite: 'remplacer les images des émojis existants ; sinon, ils sont ignorés',
        unlisted: 'ne pas montrer les émojis dans les sélecteurs des applications',
        'dry-run': 'montrer seulement ce qui serait importé',
      },
    },
    'emoji export': {
      summary: 'Écrire les émojis de ce serveur dans un nouveau tar.gz',
      options: { category: 'seulement cette catégorie' },
    },
    'emoji purge': {
      summary: 'Supprimer des émojis',
      options: {
        remote: 'tous les émojis d’autres serveurs ; ils réapparaissent quand ils sont utilisés',
        suspended: 'seulement les émojis de serveurs suspendus',
        domain: 'les émojis d’un serveur',
        local: 'les émojis de ce serveur',
        'dry-run': 'les compter seulement',
        yes: 'confirmer la suppression des émojis de ce serveur',
      },
    },
  },
  imported: ({ imported, replaced, skipped, failed }) =>
    `${imported} importés, ${replaced} remplacés, ${skipped} ignorés, ${failed} en échec`,
  exported: ({ emojis, file }) => `Écrit dans ${file} : ${emojis}`,
  exists: ({ file }) => `${file} existe déjà. Choisissez un autre nom.`,
  unreadable: ({ file }) => `Impossible de lire ou d’écrire ${file}.`,
  not_an_archive: ({ file }) =>
    `${file} n’est ni une image PNG, GIF ou WebP, ni une archive tar ou tar.gz complète de telles images.`,
}
