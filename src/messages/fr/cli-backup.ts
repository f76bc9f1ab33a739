import type { CliBackupTexts } from '../en/cli-backup.ts'
import { plural } from '../plural.ts'

export const frCliBackup: CliBackupTexts = {
  commands: {
    backup: {
      summary:
        'Écrire une archive de la base de données, des clés et d’une liste de tous les médias, pendant que le serveur tourne',
      options: {
        media:
          'ajouter aussi les fichiers envoyés ; les copies de médias distants sont omises, car le serveur les récupère à nouveau',
      },
    },
    restore: {
      summary: 'Restaurer une archive de `rookery backup` sur un serveur vide. L’archive entière est d’abord vérifiée',
      options: { 'dry-run': 'seulement vérifier l’archive' },
    },
  },
  problems: {
    file_exists: ({ file }: { file: string }) => `${file} existe déjà. Choisissez un autre nom.`,
    no_file: ({ file }: { file: string }) => `${file} ne peut pas être lu.`,
    not_writable: ({ file, code }: { file: string; code: string }) =>
      `${file} ne peut pas être écrit (${code}). Vérifiez que le dossier existe, que cet utilisateur peut y écrire et qu’il reste de la place sur le disque.`,
    not_a_backup: ({ file }: { file: string }) => `${file} n’est pas une archive de rookery backup.`,
    damaged: ({ member }: { member: string }) => `L’archive est endommagée (${member}). Rien n’a été modifié.`,
    incomplete: 'L’archive est incomplète. Rien n’a été modifié.',
    newer: ({ version }: { version: string }) =>
      `L’archive vient de Rookery ${version}, que cette installation ne connaît pas. Mettez-la à jour, ou utilisez cette version. Rien n’a été modifié.`,
    other_domain: ({ theirs, own }: { theirs: string; own: string }) =>
      `L’archive appartient à ${theirs}, et ce serveur est ${own}. Définissez LOCAL_DOMAIN=${theirs}. Rien n’a été modifié.`,
    other_secret:
      'SECRET_KEY_BASE diffère de celui de l’archive. Retirez-le, ou donnez-lui la valeur de l’archive. Rien n’a été modifié.',
    no_secret:
      'La clé secrète ne peut pas être lue. Lancez la commande avec l’utilisateur du serveur, et les mêmes DATA_DIR et SECRET_KEY_BASE.',
    not_migrated: 'Il n’y a pas de Rookery dans cette base de données.',
    not_empty:
      'Ce serveur a déjà des comptes ou des messages. Une archive ne se restaure que sur un serveur vide. Rien n’a été modifié.',
    running: 'Le serveur tourne. Arrêtez-le d’abord. Rien n’a été modifié.',
  },
  tables: ({ done, total, table, size }: { done: number; total: number; table: string; size: string }) =>
    `${done} tables sur ${total} (${table}), ${size}`,
  steps: {
    verify: ({ size }: { size: string }) => `Vérification, ${size}`,
    restore: ({ size }: { size: string }) => `Restauration, ${size}`,
    check: 'Vérification des données restaurées',
  },
  done: ({ file, rows, files, included, size }) =>
    `${file} écrit : ${rows}, ${files} dans la liste, ${included} dans l’archive, ${size}. Gardez-le secret : il contient les clés.`,
  good: ({ domain, date, rows, files }) => `L’archive de ${domain} du ${date} est entière : ${rows}, ${files}.`,
  restored: ({ domain, date, rows, files }) =>
    `${domain} restauré tel qu’au ${date} : ${rows}, ${files}. Démarrez maintenant le serveur.`,
  missing: ({ count }) =>
    plural('fr', count, { one: 'Il manque # fichier envoyé.', other: 'Il manque # fichiers envoyés.' }) +
    ' Copiez ici le dossier files/ de l’ancien répertoire de données.',
}
