import type { ProviderTexts } from '../en/provider.ts'

export const frProvider: ProviderTexts = {
  sign_in: ({ name }) => `Se connecter avec ${name}`,
  sign_up: ({ name }) => `S’inscrire avec ${name}`,
  only: ({ name }) => `Ce serveur n’accepte ni mot de passe ni clé d’accès. Connectez-vous avec ${name}.`,
  leaving: ({ name }) => `Vous allez être redirigé·e vers ${name}. Si rien ne se passe, continuez avec le bouton.`,
  almost: ({ name }) => `Vous vous êtes connecté·e avec ${name}. Encore une étape, et vous aurez un compte ici.`,
  username: 'Votre identifiant sera {handle}. Vous ne pourrez pas le modifier plus tard.',
  email: 'Votre adresse e-mail est {email}. Elle n’est pas montrée aux autres.',
  email_unverified:
    'Votre adresse e-mail est {email}. Elle n’est pas montrée aux autres. Nous y envoyons un lien pour confirmer l’adresse.',
  applied: 'Merci pour votre demande',
  back: 'Retour aux paramètres',
  problems: {
    denied: {
      title: 'La connexion a été refusée',
      text: ({ name }) =>
        `${name} ne vous a pas connecté·e, ou vous y avez annulé. Réessayez, ou demandez aux responsables de ${name} si vous avez accès.`,
    },
    unreachable: {
      title: 'Pas de réponse',
      text: ({ name }) =>
        `Ce serveur ne peut pas joindre ${name} en ce moment. Réessayez dans quelques minutes. Si cela continue, écrivez à l’administration de ce serveur.`,
    },
    clock: {
      title: 'Les horloges diffèrent',
      text: ({ name }) =>
        `L’horloge de ${name} ou celle de ce serveur est fausse, et la connexion ne peut pas être vérifiée. Réessayez dans quelques minutes. Si cela continue, écrivez à l’administration de ce serveur.`,
    },
    invalid: {
      title: 'La connexion n’a pas pu être vérifiée',
      text: ({ name }) =>
        `Ce serveur ne peut pas vérifier la réponse de ${name}. Réessayez. Si cela continue, écrivez à l’administration de ce serveur : la raison est dans son journal.`,
    },
    expired: {
      title: 'Cette connexion a pris fin',
      text: () =>
        'Elle a duré trop longtemps, a déjà reçu une réponse ou a commencé dans un autre navigateur. Recommencez ici, et autorisez les cookies pour ce serveur.',
    },
    taken: {
      title: 'Vous avez déjà un compte ici',
      text: ({ name }) =>
        `Un compte de ce serveur a l’adresse e-mail que ${name} donne pour vous. Connectez-vous-y comme avant, et reliez-le à ${name} dans les paramètres, sous « Mot de passe et e-mail ». Si vous ne pouvez pas vous connecter, écrivez à l’administration de ce serveur.`,
    },
    connected: {
      title: 'Ce lien n’est pas possible',
      text: ({ name }) =>
        `Votre compte chez ${name} est relié à un autre compte ici, ou votre compte ici à un autre chez ${name}. Supprimez d’abord ce lien.`,
    },
  },
  connect: ({ name }) => `Relier à ${name}`,
  connect_hint: ({ name }) => `Reliez votre compte à ${name} pour vous connecter ici avec ${name}.`,
  connected_since: ({ name }) => `Vous pouvez vous connecter avec ${name} depuis le {day}.`,
  disconnect: 'Supprimer le lien',
  disconnect_needs_password:
    'Pour supprimer le lien, il vous faut un mot de passe : sinon, vous ne pourriez plus vous connecter. {link}',
  choose_password: ({ name }) => `Vous n’avez pas de mot de passe : vous vous connectez avec ${name}. {link}`,
  choose_password_link: 'Choisir un mot de passe',
  notices: {
    connected: 'Votre compte est relié.',
    disconnected:
      'Le lien est supprimé, et les autres navigateurs sont déconnectés. Connectez-vous désormais avec votre mot de passe.',
  },
  sign_in_again: ({ name }) =>
    `Votre dernière connexion avec ${name} date un peu. {link} avant de continuer. Si ${name} ne demande pas qui vous êtes, déconnectez-vous-y d’abord.`,
  sign_in_again_link: 'Connectez-vous à nouveau',
  not_fresh: 'Votre connexion est trop ancienne. Connectez-vous à nouveau, et recommencez dans les 15 minutes.',
}
