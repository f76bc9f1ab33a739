import type { NotificationTexts } from '../en/notifications.ts'

export const frNotifications: NotificationTexts = {
  titles: {
    mention: ({ name }) => `${name} vous a mentionné·e`,
    status: ({ name }) => `${name} vient de publier`,
    reblog: ({ name }) => `${name} a partagé votre message`,
    follow: ({ name }) => `${name} vous suit désormais`,
    follow_request: ({ name }) => `${name} a demandé à vous suivre`,
    favourite: ({ name }) => `${name} a ajouté votre message à ses favoris`,
    poll: ({ name }) => `Un sondage de ${name} est terminé`,
    update: ({ name }) => `${name} a modifié un message`,
    'admin.sign_up': ({ name }) => `${name} s’est inscrit·e`,
    'admin.report': ({ name }) => `${name} a envoyé un signalement`,
    severed_relationships: () => 'Certaines de vos relations ont été perdues',
    moderation_warning: () => 'Vous avez reçu un avertissement de la modération',
    quote: ({ name }) => `${name} a cité votre message`,
    quoted_update: ({ name }) => `${name} a modifié un message que vous avez cité`,
    added_to_collection: ({ name }) => `${name} vous a ajouté·e à une collection`,
    collection_update: ({ name }) => `${name} a mis à jour une collection dont vous faites partie`,
  },
  details: {
    severed_relationships:
      'Une décision de modération, ou un domaine que vous avez bloqué, a mis fin à certains de vos abonnements.',
    moderation_warning: 'L’équipe de modération de ce serveur vous a envoyé un avertissement.',
    'admin.report': 'Veuillez examiner le signalement.',
  },
}
