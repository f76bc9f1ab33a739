import { plural } from '../../plural.ts'
import type { ClientStatusesTexts } from '../../en/client/statuses.ts'

export const frClientStatuses: ClientStatusesTexts = {
  actions: 'Actions',
  boosted_by: '{name} a partagé',
  boosted_by_many: ({ count }: { count: number }) =>
    plural('fr', count, { one: '{name} et # autre ont partagé', other: '{name} et # autres ont partagé' }),
  edited: 'Modifié',
  reply: 'Répondre',
  boost: 'Partager',
  undo_boost: 'Annuler le partage',
  favourite: 'Ajouter aux favoris',
  undo_favourite: 'Retirer des favoris',
  bookmark: 'Ajouter aux signets',
  undo_bookmark: 'Retirer des signets',
  more: 'Plus',
  copy_link: 'Copier le lien',
  link_copied: 'Lien copié',
  open_original: 'Ouvrir la page d’origine',
  show_more: 'Afficher',
  show_less: 'Masquer',
  visibilities: {
    public: 'Public',
    unlisted: 'Non listé',
    private: 'Abonnés uniquement',
    direct: 'Mention privée',
  },
}
