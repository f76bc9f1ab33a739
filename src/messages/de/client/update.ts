import type { ClientUpdateTexts } from '../../en/client/update.ts'

export const deClientUpdate: ClientUpdateTexts = {
  ready: 'Eine neue Version ist bereit.',
  reload_to_update: 'Zum Aktualisieren neu laden',
  incomplete: 'Ein Teil dieser Seite konnte nicht geladen werden.',
  reload: 'Neu laden',
}
