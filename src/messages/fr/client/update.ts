import type { ClientUpdateTexts } from '../../en/client/update.ts'

export const frClientUpdate: ClientUpdateTexts = {
  ready: 'Une nouvelle version est prête.',
  reload_to_update: 'Recharger pour mettre à jour',
  incomplete: 'Une partie de cette page n’a pas pu être chargée.',
  reload: 'Recharger',
}
