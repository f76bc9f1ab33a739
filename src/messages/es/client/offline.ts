import type { ClientOfflineTexts } from '../../en/client/offline.ts'

export const esClientOffline: ClientOfflineTexts = {
  too_many_requests: 'Demasiadas solicitudes. Espera un minuto y vuelve a intentarlo.',
  unavailable: 'El servidor no está disponible en este momento. Vuelve a intentarlo pronto.',
  too_large: 'Es más de lo que acepta el servidor. Elige un archivo más pequeño o acorta el texto.',
  sign_out: 'Cerrar sesión',
  sign_out_question: '¿Cerrar sesión?',
  sign_out_explanation:
    'Se eliminarán los borradores, las publicaciones sin enviar y todo lo que este dispositivo ha guardado para tu cuenta.',
  sign_out_of: ({ handle }) => `Cerrar la sesión de @${handle}`,
  switch_to: ({ handle }) => `Cambiar a @${handle}`,
  add_account: 'Añadir otra cuenta',
  account_gone: 'La sesión de esa cuenta está cerrada.',
  install: 'Instalar aplicación',
  push_on: 'Mostrar notificaciones en este dispositivo',
  push_alerts: 'Notificarme de',
  push_from: 'De',
  push_from_all: 'Todos',
  push_from_followed: 'Personas que sigo',
  push_from_follower: 'Mis seguidores',
}
