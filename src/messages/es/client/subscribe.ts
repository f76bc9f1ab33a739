import type { ClientSubscribeTexts } from '../../en/client/subscribe.ts'

export const esClientSubscribe: ClientSubscribeTexts = {
  title: ({ handle }) => `Publicaciones de ${handle} por correo`,
  text: 'Las nuevas publicaciones públicas, sin impulsos ni respuestas a otras personas. Un primer correo te pide confirmar la dirección.',
  email: 'Dirección de correo',
  submit: 'Suscribirse',
  sent: 'Si esta dirección aún no está suscrita, hay un enlace de confirmación en camino.',
}
