import type { MailTexts } from '../en/mails.ts'

export const frMails: MailTexts = {
  confirmation: ({ server, username, link, app, approved }) => ({
    subject: `Confirmez votre adresse e-mail pour ${server}`,
    lines: [
      `Bienvenue sur ${server}, @${username} !`,
      'Suivez ce lien pour confirmer que cette adresse e-mail est la vôtre :',
      link,
      app === null ? null : `Vous pourrez ensuite continuer dans ${app}.`,
      approved
        ? null
        : 'L’équipe de modération de ce serveur examine chaque demande. Elle vous répondra une fois votre adresse confirmée.',
      'Le lien est valable sept jours. Si vous ne vous êtes pas inscrit, ignorez cet e-mail : sans le lien, le compte reste inutilisé.',
    ],
  }),
  new_address: ({ server, username, link }) => ({
    subject: `Confirmez votre nouvelle adresse e-mail pour ${server}`,
    lines: [
      `@${username} souhaite désormais utiliser cette adresse sur ${server}. Suivez ce lien pour la confirmer :`,
      link,
      'Le lien est valable sept jours. Si ce n’est pas vous, ignorez cet e-mail : rien ne change sans le lien.',
    ],
  }),
  announcement: ({ server, announcement }) => ({
    subject: `Une annonce de ${server}`,
    lines: [`Les administrateurs de ${server} annoncent :`, announcement],
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
      `Un nouveau mot de passe a été demandé pour @${username} sur ${server}. Suivez ce lien pour en choisir un :`,
      link,
      'Le lien est valable six heures. Si vous ne l’avez pas demandé, ignorez cet e-mail : votre mot de passe reste inchangé.',
    ],
  }),
  password_changed: ({ server, username, link }) => ({
    subject: `Votre mot de passe sur ${server} a été modifié`,
    lines: [
      `Le mot de passe de @${username} vient d’être modifié.`,
      'Si vous ne l’avez pas modifié, demandez-en un nouveau ici et écrivez à l’administration du serveur :',
      link,
    ],
  }),
  report: ({ server, username, reporter, target, link }) => ({
    subject: `Nouveau signalement sur ${server}`,
    lines: [
      `@${username}, il y a un nouveau signalement : ${reporter} a signalé ${target}.`,
      'Vous pouvez le consulter ici :',
      link,
      'Vous recevez ce message parce que vous pouvez traiter les signalements. Vous pouvez le désactiver dans les préférences de votre compte.',
    ],
  }),
  trends: ({ server, username, tags, links, publishers, statuses, link }) => ({
    subject: `Nouvelles tendances à examiner sur ${server}`,
    lines: [
      `@${username}, voici ce qui pourra apparaître dans les tendances après votre approbation.`,
      tags.length > 0 ? `Hashtags : ${tags.join(', ')}` : null,
      links.length > 0 ? `Liens : ${links.join(', ')}` : null,
      publishers.length > 0 ? `Éditeurs : ${publishers.join(', ')}` : null,
      statuses.length > 0 ? `Messages de : ${statuses.join(', ')}` : null,
      'Examinez-les ici :',
      link,
      'Vous recevez cet e-mail parce que vous pouvez gérer les tendances.',
    ],
  }),
}
