import type { Attempt, MailTexts } from '../en/mails.ts'
import { postLines } from '../mailed-posts.ts'

const MAILED_POST = {
  image: 'Image',
  gifv: 'Animation',
  video: 'Vidéo',
  audio: 'Audio',
  unknown: 'Pièce jointe',
  warning: 'Avertissement de contenu',
  sensitive: 'sensible',
  poll: 'Sondage',
}

const attempted = ({ ip, device, time }: Attempt): (string | null)[] => [
  ip && `Adresse IP : ${ip}`,
  device && `Navigateur : ${device}`,
  `Heure : ${time}`,
]

export const frMails: MailTexts = {
  confirmation: ({ server, username, link, app, approved }) => ({
    subject: `Confirmez votre adresse e-mail pour ${server}`,
    lines: [
      `Bienvenue sur ${server}, @${username} !`,
      'Suivez ce lien pour confirmer que cette adresse e-mail est la vôtre :',
      link,
      app === null ? null : `Vous pourrez ensuite continuer dans ${app}.`,
      approved
        ? null
        : 'L’équipe de modération de ce serveur examine chaque demande. Elle vous répondra une fois votre adresse confirmée.',
      'Le lien est valable sept jours. Si vous ne vous êtes pas inscrit, ignorez cet e-mail : sans le lien, le compte reste inutilisé.',
    ],
  }),
  welcome: ({ server, username, handle, domain, profileLink, exploreLink }) => ({
    subject: `Bienvenue sur ${server}`,
    lines: [
      `Bienvenue sur ${server}, @${username} ! ${server} fait partie d’un réseau de nombreux serveurs. Les personnes de tous ces serveurs peuvent vous suivre à cette adresse :`,
      handle,
      'Dites aux autres qui vous êtes :',
      profileLink,
      'Trouvez des personnes et des hashtags à suivre. Leurs messages apparaissent dans votre fil d’accueil :',
      exploreLink,
      'Vous pouvez aussi utiliser une application pour Mastodon. Quand elle demande votre serveur, saisissez :',
      domain,
    ],
  }),
  new_address: ({ server, username, link }) => ({
    subject: `Confirmez votre nouvelle adresse e-mail pour ${server}`,
    lines: [
      `@${username} souhaite désormais utiliser cette adresse sur ${server}. Suivez ce lien pour la confirmer :`,
      link,
      'Le lien est valable sept jours. Si ce n’est pas vous, ignorez cet e-mail : rien ne change sans le lien.',
    ],
  }),
  announcement: ({ server, announcement }) => ({
    subject: `Une annonce de ${server}`,
    lines: [`L’administration de ${server} annonce :`, announcement],
  }),
  address_changed: ({ server, username, newAddress }) => ({
    subject: `Votre adresse e-mail sur ${server} a été modifiée`,
    lines: [
      `Le compte @${username} utilise maintenant l’adresse ${newAddress}. Plus aucun e-mail n’est envoyé à celle-ci.`,
      'Si vous ne l’avez pas modifiée, écrivez immédiatement à l’administration du serveur.',
    ],
  }),
  password_reset: ({ server, username, link }) => ({
    subject: `Choisissez un nouveau mot de passe pour ${server}`,
    lines: [
      `Un nouveau mot de passe a été demandé pour @${username} sur ${server}. Suivez ce lien pour en choisir un :`,
      link,
      'Le lien est valable six heures. Si vous ne l’avez pas demandé, ignorez cet e-mail : votre mot de passe reste inchangé.',
    ],
  }),
  password_changed: ({ server, username, link }) => ({
    subject: `Votre mot de passe sur ${server} a été modifié`,
    lines: [
      `Le mot de passe de @${username} vient d’être modifié.`,
      'Si vous ne l’avez pas modifié, écrivez à l’administration du serveur et demandez-en un nouveau ici :',
      link,
    ],
  }),
  two_factor_changed: ({ server, username, change, link }) => ({
    subject: `L’authentification à deux facteurs sur ${server} a été modifiée`,
    lines: [
      {
        app_added: `Une application d’authentification a été ajoutée à @${username}.`,
        app_removed: `L’application d’authentification de @${username} a été supprimée.`,
        passkey_added: `Une clé d’accès a été ajoutée à @${username}.`,
        passkey_removed: `Une clé d’accès de @${username} a été supprimée.`,
        new_codes: `De nouveaux codes de récupération ont été générés pour @${username}. Les anciens ne fonctionnent plus.`,
        turned_off: `L’administration du serveur a désactivé l’authentification à deux facteurs de @${username}.`,
      }[change],
      'Si vous ne vouliez pas ce changement, écrivez immédiatement à l’administration du serveur et vérifiez les paramètres de votre compte :',
      link,
    ],
  }),
  wrong_codes: ({ server, username, attempt, link }) => ({
    subject: `Quelqu’un connaît peut-être votre mot de passe sur ${server}`,
    lines: [
      `Quelqu’un a saisi le bon mot de passe de @${username}, puis de mauvais codes pour le second facteur. La connexion a échoué.`,
      ...attempted(attempt),
      'Si ce n’était pas vous, choisissez un nouveau mot de passe ici :',
      link,
    ],
  }),
  new_sign_in: ({ server, username, attempt, link }) => ({
    subject: `Nouvelle connexion à ${server}`,
    lines: [
      `Quelqu’un s’est connecté en tant que @${username} avec le bon mot de passe, depuis un réseau que vous n’aviez pas encore utilisé ici.`,
      ...attempted(attempt),
      'Si c’était vous, il n’y a rien à faire. Sinon, choisissez ici un nouveau mot de passe et terminez les sessions qui ne sont pas les vôtres :',
      link,
    ],
  }),
  identity_connected: ({ server, username, provider }) => ({
    subject: `Vous pouvez maintenant vous connecter à ${server} avec ${provider}`,
    lines: [
      `Désormais, on peut aussi utiliser @${username} en se connectant avec ${provider}.`,
      'Si vous n’avez pas créé ce lien, supprimez-le dans les paramètres de votre compte et écrivez à l’administration du serveur.',
    ],
  }),
  report: ({ server, username, reporter, target, link }) => ({
    subject: `Nouveau signalement sur ${server}`,
    lines: [
      `@${username}, il y a un nouveau signalement : ${reporter} a signalé ${target}.`,
      'Vous pouvez le consulter ici :',
      link,
      'Vous recevez ce message parce que vous pouvez traiter les signalements. Vous pouvez le désactiver dans les préférences de votre compte.',
    ],
  }),
  trends: ({ server, username, tags, links, publishers, statuses, link }) => ({
    subject: `Nouvelles tendances à examiner sur ${server}`,
    lines: [
      `@${username}, voici ce qui pourra apparaître dans les tendances après votre approbation.`,
      tags.length > 0 ? `Hashtags : ${tags.join(', ')}` : null,
      links.length > 0 ? `Liens : ${links.join(', ')}` : null,
      publishers.length > 0 ? `Éditeurs : ${publishers.join(', ')}` : null,
      statuses.length > 0 ? `Messages de : ${statuses.join(', ')}` : null,
      'Examinez-les ici :',
      link,
      'Vous recevez cet e-mail parce que vous pouvez gérer les tendances.',
    ],
  }),
  warning: ({ server, username, action, text, statuses, collections, link }) => {
    const what = {
      subject: {
        none: `Un avertissement pour votre compte @${username}`,
        disable: `Votre compte @${username} a été gelé`,
        mark_statuses_as_sensitive: `Des contenus de @${username} ont été marqués comme sensibles`,
        delete_statuses: `Des contenus de @${username} ont été supprimés`,
        sensitive: `Les messages de @${username} sont désormais marqués comme sensibles`,
        silence: `Votre compte @${username} a été limité`,
        suspend: `Votre compte @${username} a été suspendu`,
      },
      explanation: {
        none: `La modération de ${server} vous a envoyé un avertissement. Votre compte fonctionne comme avant.`,
        disable: `La modération de ${server} a gelé votre compte. Vous ne pouvez plus l’utiliser, mais votre profil et vos messages restent tels quels.`,
        mark_statuses_as_sensitive: `La modération de ${server} a marqué certains de vos contenus comme sensibles. Ils restent cachés tant que l’on ne choisit pas de les voir.`,
        delete_statuses: `La modération de ${server} a supprimé certains de vos contenus, car ils enfreignent les règles du serveur.`,
        sensitive: `Désormais, tous les médias de vos messages sur ${server} sont marqués comme sensibles : ils restent cachés tant que l’on ne choisit pas de les voir.`,
        silence: `La modération de ${server} a limité votre compte. Seules les personnes qui vous suivent déjà voient vos messages dans leur fil, et celles que vous souhaitez suivre doivent d’abord accepter votre demande.`,
        suspend: `La modération de ${server} a suspendu votre compte. Plus personne ne peut voir votre profil ni vos messages. Après 30 jours, vos données seront supprimées définitivement.`,
      },
    }
    return {
      subject: what.subject[action],
      lines: [
        what.explanation[action],
        statuses === 0 ? null : `Messages concernés : ${statuses}`,
        collections === 0 ? null : `Collections concernées : ${collections}`,
        text === '' ? null : 'La modération écrit :',
        text === '' ? null : text,
        'Si vous pensez qu’il s’agit d’une erreur, vous pouvez faire appel dans les 20 jours. Connectez-vous pour voir ce qui s’est passé et écrire à la modération :',
        link,
      ],
    }
  },
  appeal_approved: ({ server, username, date }) => ({
    subject: 'Votre appel a été accepté',
    lines: [
      `La modération de ${server} a lu votre appel du ${date} et vous donne raison. Ce qu’elle avait décidé au sujet de @${username} ne s’applique plus.`,
    ],
  }),
  appeal_rejected: ({ server, username, date }) => ({
    subject: 'Votre appel a été rejeté',
    lines: [
      `La modération de ${server} a lu votre appel du ${date}. Sa décision au sujet de @${username} est maintenue.`,
    ],
  }),
  account_approved: ({ server, username, link }) => ({
    subject: `Bienvenue sur ${server} : votre compte est approuvé`,
    lines: [
      `La modération de ${server} a approuvé votre demande d’inscription. Votre compte @${username} est prêt ; connectez-vous ici :`,
      link,
    ],
  }),
  account_rejected: ({ server, username }) => ({
    subject: `Votre demande d’inscription à ${server} a été refusée`,
    lines: [
      `La modération de ${server} a refusé votre demande d’inscription sous le nom @${username}. Ce que vous aviez envoyé a été supprimé.`,
    ],
  }),
  account_pending: ({ server, applicant, email, reason, link }) => ({
    subject: `@${applicant} demande à rejoindre ${server}`,
    lines: [
      `@${applicant} (${email}) a confirmé son adresse e-mail et demande à rejoindre ${server}.`,
      reason === '' ? null : 'La raison indiquée :',
      reason === '' ? null : reason,
      'Approuvez ou refusez la demande ici :',
      link,
    ],
  }),
  appeal_received: ({ server, applicant, text, link }) => ({
    subject: `@${applicant} fait appel d’une décision sur ${server}`,
    lines: [`@${applicant} écrit :`, text, 'Acceptez ou rejetez l’appel ici :', link],
  }),
  registrations_need_approval: ({ server, days, link }) => ({
    subject: `Les inscriptions sur ${server} doivent désormais être approuvées`,
    lines: [
      `Personne de la modération n’a utilisé ${server} depuis ${days} jours. Pour éviter que le serveur soit détourné à votre insu, les nouveaux comptes doivent désormais être approuvés par la modération.`,
      'L’administration peut rouvrir les inscriptions ici :',
      link,
    ],
  }),
  unread_notifications: ({ server, username, lines, hasMore, link, settings, unsubscribe }) => ({
    subject: `Notifications non lues sur ${server}`,
    lines: [
      `Voici ce qui s’est passé en votre absence, @${username} :`,
      ...lines.map((line) => `• ${line}`),
      hasMore ? '… et plus encore.' : null,
      'Voyez tout ici :',
      link,
      'Vous avez choisi de recevoir cet e-mail. Vous pouvez changer cela dans vos préférences :',
      settings,
      'Ce lien met fin à ces e-mails :',
      unsubscribe,
    ],
  }),
  archive_ready: ({ server, username, date, link }) => ({
    subject: `Votre archive de ${server} est prête`,
    lines: [
      `L’archive de @${username} que vous avez demandée est prête. Vous pouvez la télécharger jusqu’au ${date}, une fois connecté·e :`,
      link,
      'Si vous ne l’avez pas demandée, choisissez un nouveau mot de passe et terminez les sessions qui ne sont pas les vôtres.',
    ],
  }),
  terms_changed: ({ server, date, link, changelog }) => ({
    subject: `Les conditions d’utilisation de ${server} changent`,
    lines: [
      `Les conditions d’utilisation de ${server} changent le ${date}. Vous pouvez lire la nouvelle version ici :`,
      link,
      changelog === '' ? null : 'Ce qui change :',
      changelog === '' ? null : changelog,
      'Si vous continuez à utiliser votre compte après cette date, les nouvelles conditions s’appliquent.',
    ],
  }),
  email_subscription: ({ server, handle, link }) => ({
    subject: `Confirmez que vous souhaitez recevoir les messages de ${handle}`,
    lines: [
      `Quelqu’un a saisi cette adresse sur ${server} pour recevoir par e-mail les nouveaux messages publics de ${handle}. Si c’est vous, suivez ce lien et confirmez-le :`,
      link,
      'Le lien est valable sept jours. Si ce n’est pas vous, ignorez cet e-mail : sans le lien, vous ne recevrez rien d’autre.',
    ],
  }),
  new_posts: ({ handle, name, posts, hasMore, subject, link, unsubscribe }) => ({
    subject:
      posts.length > 1
        ? `Nouveaux messages de ${name}`
        : subject === ''
          ? `Nouveau message de ${name}`
          : `${name} : ${subject}`,
    lines: [
      ...posts.flatMap((post) => postLines(post, MAILED_POST, 'fr')),
      hasMore ? 'Il y a d’autres nouveaux messages :' : null,
      hasMore ? link : null,
      `Vous recevez cet e-mail parce que cette adresse est abonnée aux messages de ${handle}. Suivez ce lien pour vous désabonner :`,
      unsubscribe,
    ],
  }),
}
