import { groupedNumber, plural } from '../plural.ts'
import type { DisputeTexts } from '../en/disputes.ts'

export const frDisputes: DisputeTexts = {
  strikes: {
    title: 'Historique de modération',
    lead: 'Ce que la modération de ce serveur a décidé au sujet de votre compte. Vous pouvez faire appel dans les 20 jours.',
    empty: 'La modération n’a jamais eu à vous écrire.',
    disabled: 'Votre compte est gelé : vous ne pouvez pas l’utiliser. Voici ce qui s’est passé.',
    suspended:
      'Votre compte est suspendu : personne ne peut le voir et ses données seront supprimées le {date}. Voici ce qui s’est passé.',
    gone: 'Votre compte est suspendu. Voici ce qui s’est passé.',
    sign_out: 'Se déconnecter',
    back: 'Tout l’historique de modération',
    reason: 'Ce qu’écrit la modération',
    no_reason: 'La modération n’a pas donné de raison.',
    posts: 'Messages concernés',
    removed: 'Les messages n’existent plus.',
    collections: 'Collections concernées',
    collections_removed: 'Les collections n’existent plus.',
    overruled: 'Ne s’applique plus',
    appeal: 'Appel',
    appeal_text: 'Pourquoi pensez-vous qu’il s’agit d’une erreur ?',
    appeal_hint: 'La modération le lit et répond par e-mail. Vous pouvez faire appel une seule fois.',
    send: 'Envoyer l’appel',
    until: 'Vous pouvez faire appel jusqu’au {date}.',
    too_late: 'Les 20 jours pendant lesquels vous pouviez faire appel sont écoulés.',
    yours: 'Votre appel du {date}',
    sent: 'Votre appel est envoyé. Vous recevrez un e-mail quand la modération aura décidé.',
    count: ({ count }) => plural('fr', count, { one: '# message', other: '# messages' }, groupedNumber),
    collection_count: ({ count }) =>
      plural('fr', count, { one: '# collection', other: '# collections' }, groupedNumber),
    states: {
      pending: 'En attente d’une décision',
      approved: 'Accepté',
      rejected: 'Rejeté',
    },
    actions: {
      none: 'Avertissement',
      disable: 'Compte gelé',
      mark_statuses_as_sensitive: 'Contenus marqués comme sensibles',
      delete_statuses: 'Contenus supprimés',
      sensitive: 'Médias toujours marqués comme sensibles',
      silence: 'Compte limité',
      suspend: 'Compte suspendu',
    },
  },
  severed: {
    title: 'Relations rompues',
    lead: 'Les abonnements qui ont pris fin parce qu’un serveur a été bloqué ou un compte suspendu. Pendant 30 jours, vous pouvez télécharger la liste des personnes perdues.',
    empty: 'Vous n’avez perdu aucun abonnement de cette façon.',
    domain_block: 'L’administration a bloqué {name}',
    user_domain_block: 'Vous avez bloqué {name}',
    account_suspension: 'La modération a suspendu {name}',
    download_followers: 'Télécharger les abonné·e·s perdu·e·s',
    download_following: 'Télécharger les abonnements perdus',
    purged: 'Les listes ne sont plus conservées.',
    followers: ({ count }) => plural('fr', count, { one: '# abonné·e', other: '# abonné·e·s' }, groupedNumber),
    following: ({ count }) =>
      plural('fr', count, { one: '# compte que vous suiviez', other: '# comptes que vous suiviez' }, groupedNumber),
  },
}
