import type { ClientOfflineTexts } from '../../en/client/offline.ts'

export const frClientOffline: ClientOfflineTexts = {
  too_many_requests: 'Trop de requêtes. Patientez une minute, puis réessayez.',
  unavailable: 'Le serveur n’est pas disponible pour le moment. Réessayez bientôt.',
  too_large: 'C’est plus que ce que le serveur accepte. Choisissez un fichier plus petit ou raccourcissez le texte.',
  sign_out: 'Se déconnecter',
  sign_out_question: 'Se déconnecter ?',
  sign_out_explanation:
    'Les brouillons, les messages non envoyés et tout ce que cet appareil a enregistré pour votre compte seront supprimés.',
  sign_out_of: ({ handle }) => `Se déconnecter de @${handle}`,
  switch_to: ({ handle }) => `Passer à @${handle}`,
  add_account: 'Ajouter un autre compte',
  account_gone: 'Vous êtes déconnecté·e de ce compte.',
  install: 'Installer l’application',
  push_on: 'Afficher les notifications sur cet appareil',
  push_alerts: 'Me notifier pour',
  push_from: 'De la part de',
  push_from_all: 'Tout le monde',
  push_from_followed: 'Personnes que je suis',
  push_from_follower: 'Mes abonné·e·s',
}
