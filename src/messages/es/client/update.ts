import type { ClientUpdateTexts } from '../../en/client/update.ts'

export const esClientUpdate: ClientUpdateTexts = {
  ready: 'Hay una nueva versión lista.',
  reload_to_update: 'Recargar para actualizar',
  incomplete: 'No se pudo cargar una parte de esta página.',
  reload: 'Recargar',
}
