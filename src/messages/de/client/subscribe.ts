import type { ClientSubscribeTexts } from '../../en/client/subscribe.ts'

export const deClientSubscribe: ClientSubscribeTexts = {
  title: ({ handle }) => `Beiträge von ${handle} per E-Mail`,
  text: 'Neue öffentliche Beiträge, ohne geteilte Beiträge und Antworten an andere. Eine erste E-Mail bittet dich, die Adresse zu bestätigen.',
  email: 'E-Mail-Adresse',
  submit: 'Abonnieren',
  sent: 'Wenn mit dieser Adresse noch nichts abonniert ist, ist ein Link zum Bestätigen unterwegs.',
}
