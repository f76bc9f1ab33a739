import type { MailTexts } from '../en/mails.ts'

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
      'Si no la has cambiado, solicita una nueva aquí y escribe a la administración del servidor:',
      link,
    ],
  }),
  report: ({ server, username, reporter, target, link }) => ({
    subject: `Nuevo informe en ${server}`,
    lines: [
      `@${username}, hay un informe nuevo: ${reporter} ha denunciado a ${target}.`,
      'Puedes verlo aquí:',
      link,
      'Recibes este correo porque puedes gestionar los informes. Puedes desactivarlo en las preferencias de tu cuenta.',
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
}
