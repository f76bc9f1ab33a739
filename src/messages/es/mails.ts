import type { Attempt, MailTexts } from '../en/mails.ts'
import { postLines } from '../mailed-posts.ts'

const MAILED_POST = {
  image: 'Imagen',
  gifv: 'Animación',
  video: 'Vídeo',
  audio: 'Audio',
  unknown: 'Adjunto',
  warning: 'Advertencia de contenido',
  sensitive: 'sensible',
  poll: 'Encuesta',
}

const attempted = ({ ip, device, time }: Attempt): (string | null)[] => [
  ip && `Dirección IP: ${ip}`,
  device && `Navegador: ${device}`,
  `Hora: ${time}`,
]

export const esMails: MailTexts = {
  confirmation: ({ server, username, link, app, approved }) => ({
    subject: `Confirma tu dirección de correo para ${server}`,
    lines: [
      `¡Te damos la bienvenida a ${server}, @${username}!`,
      'Sigue este enlace para confirmar que esta es tu dirección de correo:',
      link,
      app === null ? null : `Después puedes continuar en ${app}.`,
      approved
        ? null
        : 'La moderación de este servidor revisa cada solicitud. Te responderá cuando hayas confirmado tu dirección.',
      'El enlace funciona durante siete días. Si no te has registrado, ignora este correo: sin el enlace la cuenta queda sin usar.',
    ],
  }),
  welcome: ({ server, username, handle, domain, profileLink, exploreLink }) => ({
    subject: `Te damos la bienvenida a ${server}`,
    lines: [
      `¡Te damos la bienvenida a ${server}, @${username}! ${server} forma parte de una red de muchos servidores. Las personas de todos ellos pueden seguirte en esta dirección:`,
      handle,
      'Cuenta a los demás quién eres:',
      profileLink,
      'Encuentra personas y etiquetas que seguir. Sus publicaciones aparecen en tu cronología de inicio:',
      exploreLink,
      'También puedes usar una aplicación para Mastodon. Cuando te pregunte por tu servidor, escribe:',
      domain,
    ],
  }),
  new_address: ({ server, username, link }) => ({
    subject: `Confirma tu nueva dirección de correo para ${server}`,
    lines: [
      `@${username} quiere usar esta dirección en ${server} a partir de ahora. Sigue este enlace para confirmarla:`,
      link,
      'El enlace funciona durante siete días. Si no eres tú, ignora este correo: sin el enlace no cambia nada.',
    ],
  }),
  announcement: ({ server, announcement }) => ({
    subject: `Un anuncio de ${server}`,
    lines: [`Los administradores de ${server} anuncian:`, announcement],
  }),
  address_changed: ({ server, username, newAddress }) => ({
    subject: `Se ha cambiado tu dirección de correo en ${server}`,
    lines: [
      `La cuenta @${username} usa ahora la dirección ${newAddress}. Ya no se envían correos a esta.`,
      'Si no la has cambiado, escribe de inmediato a la administración del servidor.',
    ],
  }),
  password_reset: ({ server, username, link }) => ({
    subject: `Elige una nueva contraseña para ${server}`,
    lines: [
      `Se ha solicitado una nueva contraseña para @${username} en ${server}. Sigue este enlace para elegirla:`,
      link,
      'El enlace funciona durante seis horas. Si no la has solicitado, ignora este correo: tu contraseña no cambia.',
    ],
  }),
  password_changed: ({ server, username, link }) => ({
    subject: `Se ha cambiado tu contraseña en ${server}`,
    lines: [
      `La contraseña de @${username} se acaba de cambiar.`,
      'Si no la has cambiado, escribe a la administración del servidor y solicita una nueva aquí:',
      link,
    ],
  }),
  two_factor_changed: ({ server, username, change, link }) => ({
    subject: `Se ha cambiado la autenticación de dos factores en ${server}`,
    lines: [
      {
        app_added: `Se ha añadido una aplicación de autenticación a @${username}.`,
        app_removed: `Se ha eliminado la aplicación de autenticación de @${username}.`,
        passkey_added: `Se ha añadido una llave de acceso a @${username}.`,
        passkey_removed: `Se ha eliminado una llave de acceso de @${username}.`,
        new_codes: `Se han generado códigos de recuperación nuevos para @${username}. Los antiguos ya no funcionan.`,
        turned_off: `La administración del servidor ha desactivado la autenticación de dos factores de @${username}.`,
      }[change],
      'Si no querías este cambio, escribe de inmediato a la administración del servidor y revisa los ajustes de tu cuenta:',
      link,
    ],
  }),
  wrong_codes: ({ server, username, attempt, link }) => ({
    subject: `Puede que alguien conozca tu contraseña en ${server}`,
    lines: [
      `Alguien ha introducido la contraseña correcta de @${username}, pero después códigos incorrectos del segundo factor. No ha podido entrar.`,
      ...attempted(attempt),
      'Si no has sido tú, elige una nueva contraseña aquí:',
      link,
    ],
  }),
  new_sign_in: ({ server, username, attempt, link }) => ({
    subject: `Nuevo inicio de sesión en ${server}`,
    lines: [
      `Alguien ha iniciado sesión como @${username} con la contraseña correcta, desde una red que aún no habías usado aquí.`,
      ...attempted(attempt),
      'Si has sido tú, no hay nada que hacer. Si no, elige aquí una nueva contraseña y cierra las sesiones que no sean tuyas:',
      link,
    ],
  }),
  identity_connected: ({ server, username, provider }) => ({
    subject: `Ya puedes iniciar sesión en ${server} con ${provider}`,
    lines: [
      `A partir de ahora, también se puede usar @${username} iniciando sesión con ${provider}.`,
      'Si no has creado esta conexión, elimínala en los ajustes de tu cuenta y escribe a la administración del servidor.',
    ],
  }),
  report: ({ server, username, reporter, target, link }) => ({
    subject: `Nueva denuncia en ${server}`,
    lines: [
      `@${username}, hay una denuncia nueva: ${reporter} ha denunciado a ${target}.`,
      'Puedes verla aquí:',
      link,
      'Recibes este correo porque puedes gestionar las denuncias. Puedes desactivarlo en las preferencias de tu cuenta.',
    ],
  }),
  trends: ({ server, username, tags, links, publishers, statuses, link }) => ({
    subject: `Nuevas tendencias por revisar en ${server}`,
    lines: [
      `@${username}, esto podrá ser tendencia cuando lo apruebes.`,
      tags.length > 0 ? `Etiquetas: ${tags.join(', ')}` : null,
      links.length > 0 ? `Enlaces: ${links.join(', ')}` : null,
      publishers.length > 0 ? `Medios: ${publishers.join(', ')}` : null,
      statuses.length > 0 ? `Publicaciones de: ${statuses.join(', ')}` : null,
      'Revísalas aquí:',
      link,
      'Recibes este correo porque puedes gestionar las tendencias.',
    ],
  }),
  warning: ({ server, username, action, text, statuses, collections, link }) => {
    const what = {
      subject: {
        none: `Una advertencia sobre tu cuenta @${username}`,
        disable: `Tu cuenta @${username} ha sido congelada`,
        mark_statuses_as_sensitive: `Se ha marcado contenido de @${username} como sensible`,
        delete_statuses: `Se ha eliminado contenido de @${username}`,
        sensitive: `Las publicaciones de @${username} se marcan ahora como sensibles`,
        silence: `Tu cuenta @${username} ha sido limitada`,
        suspend: `Tu cuenta @${username} ha sido suspendida`,
      },
      explanation: {
        none: `La moderación de ${server} te ha enviado una advertencia. Tu cuenta funciona como antes.`,
        disable: `La moderación de ${server} ha congelado tu cuenta. Ya no puedes usarla, pero tu perfil y tus publicaciones siguen como están.`,
        mark_statuses_as_sensitive: `La moderación de ${server} ha marcado parte de tu contenido como sensible. Permanece oculto hasta que alguien decida verlo.`,
        delete_statuses: `La moderación de ${server} ha eliminado parte de tu contenido porque incumple las reglas del servidor.`,
        sensitive: `A partir de ahora, todos los archivos multimedia de tus publicaciones en ${server} se marcan como sensibles: permanecen ocultos hasta que alguien decida verlos.`,
        silence: `La moderación de ${server} ha limitado tu cuenta. Solo quienes ya te siguen ven tus publicaciones en su cronología, y las personas a las que quieras seguir tendrán que aceptar antes tu solicitud.`,
        suspend: `La moderación de ${server} ha suspendido tu cuenta. Nadie puede ver ya tu perfil ni tus publicaciones. Pasados 30 días, tus datos se eliminarán definitivamente.`,
      },
    }
    return {
      subject: what.subject[action],
      lines: [
        what.explanation[action],
        statuses === 0 ? null : `Publicaciones afectadas: ${statuses}`,
        collections === 0 ? null : `Colecciones afectadas: ${collections}`,
        text === '' ? null : 'La moderación escribe:',
        text === '' ? null : text,
        'Si crees que es un error, puedes apelar en un plazo de 20 días. Inicia sesión para ver qué ha pasado y escribir a la moderación:',
        link,
      ],
    }
  },
  appeal_approved: ({ server, username, date }) => ({
    subject: 'Tu apelación ha sido aceptada',
    lines: [
      `La moderación de ${server} ha leído tu apelación del ${date} y te da la razón. Lo que había decidido sobre @${username} ya no se aplica.`,
    ],
  }),
  appeal_rejected: ({ server, username, date }) => ({
    subject: 'Tu apelación ha sido rechazada',
    lines: [
      `La moderación de ${server} ha leído tu apelación del ${date}. Su decisión sobre @${username} se mantiene.`,
    ],
  }),
  account_approved: ({ server, username, link }) => ({
    subject: `Te damos la bienvenida a ${server}: tu cuenta está aprobada`,
    lines: [
      `La moderación de ${server} ha aprobado tu solicitud de registro. Tu cuenta @${username} está lista; inicia sesión aquí:`,
      link,
    ],
  }),
  account_rejected: ({ server, username }) => ({
    subject: `Tu solicitud de registro en ${server} ha sido rechazada`,
    lines: [
      `La moderación de ${server} ha rechazado tu solicitud de registro como @${username}. Lo que enviaste con ella se ha eliminado.`,
    ],
  }),
  account_pending: ({ server, applicant, email, reason, link }) => ({
    subject: `@${applicant} quiere unirse a ${server}`,
    lines: [
      `@${applicant} (${email}) ha confirmado su correo electrónico y quiere unirse a ${server}.`,
      reason === '' ? null : 'El motivo que da:',
      reason === '' ? null : reason,
      'Aprueba o rechaza la solicitud aquí:',
      link,
    ],
  }),
  appeal_received: ({ server, applicant, text, link }) => ({
    subject: `@${applicant} apela una decisión en ${server}`,
    lines: [`@${applicant} escribe:`, text, 'Acepta o rechaza la apelación aquí:', link],
  }),
  registrations_need_approval: ({ server, days, link }) => ({
    subject: `Los registros en ${server} requieren ahora aprobación`,
    lines: [
      `Nadie de la moderación ha usado ${server} en ${days} días. Para evitar abusos que pasen desapercibidos, a partir de ahora la moderación debe aprobar las cuentas nuevas.`,
      'La administración puede volver a abrir los registros aquí:',
      link,
    ],
  }),
  unread_notifications: ({ server, username, lines, hasMore, link, settings, unsubscribe }) => ({
    subject: `Notificaciones sin leer en ${server}`,
    lines: [
      `Esto ha pasado mientras no estabas, @${username}:`,
      ...lines.map((line) => `• ${line}`),
      hasMore ? '… y más.' : null,
      'Míralo todo aquí:',
      link,
      'Elegiste recibir este correo. Puedes cambiarlo en tus preferencias:',
      settings,
      'Con este enlace dejas de recibir estos correos:',
      unsubscribe,
    ],
  }),
  archive_ready: ({ server, username, date, link }) => ({
    subject: `Tu archivo de ${server} está listo`,
    lines: [
      `El archivo de @${username} que solicitaste está listo. Puedes descargarlo hasta el ${date}, con la sesión iniciada:`,
      link,
      'Si no lo solicitaste, elige una contraseña nueva y cierra las sesiones que no sean tuyas.',
    ],
  }),
  terms_changed: ({ server, date, link, changelog }) => ({
    subject: `Cambian los términos del servicio de ${server}`,
    lines: [
      `Los términos del servicio de ${server} cambian el ${date}. Puedes leer la nueva versión aquí:`,
      link,
      changelog === '' ? null : 'Qué cambia:',
      changelog === '' ? null : changelog,
      'Si sigues usando tu cuenta después de ese día, se aplicarán los nuevos términos.',
    ],
  }),
  email_subscription: ({ server, handle, link }) => ({
    subject: `Confirma que quieres recibir las publicaciones de ${handle}`,
    lines: [
      `Alguien escribió esta dirección en ${server} para recibir por correo las nuevas publicaciones públicas de ${handle}. Si fuiste tú, sigue este enlace y confírmalo:`,
      link,
      'El enlace funciona durante siete días. Si no fuiste tú, ignora este correo: sin el enlace no recibirás nada más.',
    ],
  }),
  new_posts: ({ handle, name, posts, hasMore, subject, link, unsubscribe }) => ({
    subject:
      posts.length > 1
        ? `Nuevas publicaciones de ${name}`
        : subject === ''
          ? `Nueva publicación de ${name}`
          : `${name}: ${subject}`,
    lines: [
      ...posts.flatMap((post) => postLines(post, MAILED_POST, 'es')),
      hasMore ? 'Hay más publicaciones nuevas:' : null,
      hasMore ? link : null,
      `Recibes este correo porque esta dirección está suscrita a las publicaciones de ${handle}. Sigue este enlace para cancelar la suscripción:`,
      unsubscribe,
    ],
  }),
}
