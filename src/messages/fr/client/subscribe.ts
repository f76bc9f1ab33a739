import type { ClientSubscribeTexts } from '../../en/client/subscribe.ts'

export const frClientSubscribe: ClientSubscribeTexts = {
  title: ({ handle }) => `Messages de ${handle} par e-mail`,
  text: 'Les nouveaux messages publics, sans les partages ni les réponses à d’autres. Un premier e-mail vous demande de confirmer l’adresse.',
  email: 'Adresse e-mail',
  submit: 'S’abonner',
  sent: 'Si cette adresse n’est pas encore abonnée, un lien de confirmation est en route.',
}
