import type { NotificationTexts } from '../en/notifications.ts'

export const esNotifications: NotificationTexts = {
  titles: {
    mention: ({ name }) => `${name} te ha mencionado`,
    status: ({ name }) => `${name} acaba de publicar`,
    reblog: ({ name }) => `${name} ha impulsado tu publicación`,
    follow: ({ name }) => `${name} ahora te sigue`,
    follow_request: ({ name }) => `${name} ha solicitado seguirte`,
    favourite: ({ name }) => `${name} ha marcado tu publicación como favorita`,
    poll: ({ name }) => `Una encuesta de ${name} ha terminado`,
    update: ({ name }) => `${name} ha editado una publicación`,
    'admin.sign_up': ({ name }) => `${name} se ha registrado`,
    'admin.report': ({ name }) => `${name} ha enviado una denuncia`,
    severed_relationships: () => 'Se han perdido algunas de tus relaciones',
    moderation_warning: () => 'Has recibido una advertencia de moderación',
    quote: ({ name }) => `${name} ha citado tu publicación`,
    quoted_update: ({ name }) => `${name} ha editado una publicación que citaste`,
    added_to_collection: ({ name }) => `${name} te ha añadido a una colección`,
    collection_update: ({ name }) => `${name} ha actualizado una colección en la que estás`,
  },
  details: {
    severed_relationships:
      'Una decisión de moderación, o un dominio que bloqueaste, ha puesto fin a algunos de tus seguimientos.',
    moderation_warning: 'La moderación de este servidor te ha enviado una advertencia.',
    'admin.report': 'Revisa la denuncia.',
  },
}
