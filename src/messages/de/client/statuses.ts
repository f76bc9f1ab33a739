import { plural } from '../../plural.ts'
import type { ClientStatusesTexts } from '../../en/client/statuses.ts'

export const deClientStatuses: ClientStatusesTexts = {
  actions: 'Aktionen',
  boosted_by: '{name} hat geteilt',
  boosted_by_many: ({ count }: { count: number }) =>
    plural('de', count, {
      one: '{name} und # weitere Person haben geteilt',
      other: '{name} und # weitere haben geteilt',
    }),
  edited: 'Bearbeitet',
  reply: 'Antworten',
  boost: 'Teilen',
  undo_boost: 'Teilen rückgängig machen',
  favourite: 'Favorisieren',
  undo_favourite: 'Aus Favoriten entfernen',
  bookmark: 'Lesezeichen setzen',
  undo_bookmark: 'Lesezeichen entfernen',
  more: 'Mehr',
  copy_link: 'Link kopieren',
  link_copied: 'Link kopiert',
  open_original: 'Originalseite öffnen',
  show_more: 'Mehr anzeigen',
  show_less: 'Weniger anzeigen',
  visibilities: {
    public: 'Öffentlich',
    unlisted: 'Nicht gelistet',
    private: 'Nur Follower',
    direct: 'Private Erwähnung',
  },
}
