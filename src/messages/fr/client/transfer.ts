import { plural } from '../../plural.ts'
import type { ClientTransferTexts } from '../../en/client/transfer.ts'

export const frClientTransfer: ClientTransferTexts = {
  title: 'Paramètres dans un fichier',
  explanation:
    'Emporte ces paramètres et vos colonnes dans un autre navigateur. Le fichier ne contient ni mot de passe ni autre secret.',
  with_drafts: 'Avec les brouillons',
  with_drafts_hint: 'Leurs textes seulement : les pièces jointes restent sur cet appareil.',
  export: 'Exporter',
  import: 'Importer…',
  preview_title: 'Importer ces paramètres ?',
  from: 'De {account}, {time}',
  other_account: 'Le fichier vient d’un autre compte : ses colonnes et ses brouillons sont laissés de côté.',
  nothing: 'Tout est déjà comme dans le fichier.',
  change: '{before} → {after}',
  on: 'Activé',
  off: 'Désactivé',
  apply: 'Importer',
  imported: 'Paramètres importés',
  unknown: 'Ce n’est pas un fichier de paramètres. Choisissez-en un qui a été exporté ici.',
  too_new: 'Une version plus récente a créé ce fichier. Rechargez cette page, puis réessayez.',
  too_large: 'Le fichier est trop volumineux.',
  drafts_added: ({ count }: { count: number }) =>
    plural('fr', count, { one: '# brouillon sera ajouté.', other: '# brouillons seront ajoutés.' }),
}
