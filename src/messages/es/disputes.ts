import { groupedNumber, plural } from '../plural.ts'
import type { DisputeTexts } from '../en/disputes.ts'

export const esDisputes: DisputeTexts = {
  strikes: {
    title: 'Historial de moderación',
    lead: 'Lo que la moderación de este servidor decidió sobre tu cuenta. Puedes apelar en un plazo de 20 días.',
    empty: 'La moderación nunca ha tenido que escribirte.',
    disabled: 'Tu cuenta está congelada: no puedes usarla. Abajo puedes ver qué pasó.',
    suspended:
      'Tu cuenta está suspendida: nadie puede verla y sus datos se eliminarán el {date}. Abajo puedes ver qué pasó.',
    gone: 'Tu cuenta está suspendida. Abajo puedes ver qué pasó.',
    sign_out: 'Cerrar sesión',
    back: 'Todo el historial de moderación',
    reason: 'Lo que escribe la moderación',
    no_reason: 'La moderación no dio ningún motivo.',
    posts: 'Publicaciones afectadas',
    removed: 'Las publicaciones ya no existen.',
    overruled: 'Ya no se aplica',
    appeal: 'Apelación',
    appeal_text: '¿Por qué crees que es un error?',
    appeal_hint: 'La moderación la lee y responde por correo electrónico. Puedes apelar una sola vez.',
    send: 'Enviar la apelación',
    until: 'Puedes apelar hasta el {date}.',
    too_late: 'Los 20 días en los que podías apelar han pasado.',
    yours: 'Tu apelación del {date}',
    sent: 'Tu apelación se ha enviado. Recibirás un correo cuando la moderación haya decidido.',
    count: ({ count }) => plural('es', count, { one: '# publicación', other: '# publicaciones' }, groupedNumber),
    states: {
      pending: 'A la espera de una decisión',
      approved: 'Aceptada',
      rejected: 'Rechazada',
    },
    actions: {
      none: 'Advertencia',
      disable: 'Cuenta congelada',
      mark_statuses_as_sensitive: 'Publicaciones marcadas como delicadas',
      delete_statuses: 'Publicaciones eliminadas',
      sensitive: 'Multimedia siempre marcada como delicada',
      silence: 'Cuenta limitada',
      suspend: 'Cuenta suspendida',
    },
  },
  severed: {
    title: 'Relaciones cortadas',
    lead: 'Seguimientos que terminaron porque se bloqueó un servidor o se suspendió una cuenta. Durante 30 días puedes descargar a quién perdiste.',
    empty: 'No has perdido ningún seguimiento de esta manera.',
    domain_block: 'La administración bloqueó {name}',
    user_domain_block: 'Bloqueaste {name}',
    account_suspension: 'La moderación suspendió {name}',
    download_followers: 'Descargar los seguidores perdidos',
    download_following: 'Descargar los seguimientos perdidos',
    purged: 'Las listas ya no se conservan.',
    followers: ({ count }) => plural('es', count, { one: '# seguidor', other: '# seguidores' }, groupedNumber),
    following: ({ count }) =>
      plural('es', count, { one: '# cuenta que seguías', other: '# cuentas que seguías' }, groupedNumber),
  },
}
