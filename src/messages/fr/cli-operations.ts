import type { CliOperationsTexts } from '../en/cli-operations.ts'
import { plural } from '../plural.ts'

export const frCliOperations: CliOperationsTexts = {
  commands: {
    'accounts approve': {
      summary: 'Approuver une inscription en attente, les plus anciennes, ou toutes',
      options: { number: 'combien, parmi les plus anciennes', 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'accounts suspend': {
      summary: 'Suspendre un compte de ce serveur ou d’un autre. Annulable pendant 30 jours',
      options: { text: 'ce qu’il faut dire au compte', 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'accounts unsuspend': {
      summary: 'Annuler la suspension d’un compte',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'accounts memorialize': {
      summary: 'Transformer en mémorial le compte d’une personne décédée',
      options: { undo: 'en refaire un compte ordinaire', 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'accounts follow': {
      summary: 'Faire suivre un compte par tous les comptes de ce serveur',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'accounts unfollow': {
      summary: 'Faire cesser le suivi d’un compte par tous les comptes de ce serveur',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'accounts reset-relationships': {
      summary: 'Mettre fin à tous les abonnements d’un compte de ce serveur, retirer tous ses abonné·e·s, ou les deux',
      options: {
        follows: 'mettre fin à tous ses abonnements',
        followers: 'retirer tous ses abonné·e·s',
        'dry-run': 'seulement dire ce qui serait fait',
      },
    },
    'accounts rotate-keys': {
      summary: 'Donner une nouvelle clé de signature à un compte, ou à tous',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'accounts backup': { summary: 'Créer l’archive des données d’un utilisateur, qu’il peut télécharger', options: {} },
    'accounts migrate': {
      summary: 'Migrer un compte de ce serveur vers un autre compte, qui doit le nommer comme alias',
      options: {
        target: 'compte vers lequel migrer',
        replay: 'envoyer à nouveau la dernière migration, pour les abonné·e·s des serveurs qui ne l’ont pas effectuée',
      },
    },
    'accounts refresh': {
      summary: 'Récupérer à nouveau des comptes d’autres serveurs, par des tâches du serveur',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'accounts cull': {
      summary: 'Supprimer les comptes d’autres serveurs qui n’y existent plus',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'accounts merge': {
      summary:
        'Fusionner deux comptes d’autres serveurs qui appartiennent à la même personne, par exemple quand son serveur a changé de domaine. FROM est supprimé ; ses messages, abonné·e·s, listes et blocages passent à TO',
      options: {
        force: 'même des comptes qui n’ont jamais eu la même clé',
        'dry-run': 'seulement dire ce qui serait fait',
      },
    },
    'accounts prune': {
      summary: 'Supprimer les comptes d’autres serveurs avec lesquels personne ici n’a de lien',
      options: {
        days: 'seulement ceux qui n’ont pas été récupérés depuis ce nombre de jours ; 7 par défaut',
        'dry-run': 'seulement dire ce qui serait fait',
      },
    },
    'domains block': {
      summary: 'Bloquer un serveur pour tout le monde ici',
      options: {
        severity: 'suspend (par défaut), silence ou noop',
        'reject-media': 'n’en stocker aucun média',
        'reject-reports': 'ignorer ses signalements',
        comment: 'pourquoi, pour l’équipe',
        'public-comment': 'pourquoi, pour tout le monde',
        'dry-run': 'seulement dire ce qui serait fait',
      },
    },
    'domains unblock': {
      summary: 'Lever le blocage d’un serveur',
      options: {
        'restore-follows': 'rétablir les abonnements que le blocage a rompus',
        'dry-run': 'seulement dire ce qui serait fait',
      },
    },
    'domains purge': {
      summary: 'Supprimer tous les comptes et messages de serveurs. C’est irréversible',
      options: { yes: 'confirmer la suppression', 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'domains stats': {
      summary: 'Lister les serveurs connus',
      options: { limit: 'combien de lignes ; 100 par défaut' },
    },
    'domains crawl': {
      summary: 'Demander à tous les serveurs connus quel logiciel ils utilisent',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'ip-blocks list': {
      summary: 'Lister les adresses et plages IP bloquées, les plus récentes d’abord',
      options: { limit: 'combien de lignes ; 100 par défaut' },
    },
    'ip-blocks add': {
      summary: 'Bloquer des adresses ou plages IP',
      options: {
        severity: 'sign_up_requires_approval, sign_up_block ou no_access (obligatoire)',
        comment: 'pourquoi, pour l’équipe',
        duration: 'durée du blocage en secondes ; sans elle, il n’a pas de fin',
      },
    },
    'ip-blocks remove': {
      summary: 'Lever le blocage d’adresses ou de plages IP',
      options: {
        covering: 'lever aussi le blocage des plages qui les contiennent',
        'dry-run': 'seulement dire ce qui serait fait',
      },
    },
    'ip-blocks export': {
      summary: 'Afficher les adresses et plages sans accès, pour un pare-feu ou un proxy',
      options: { format: 'plain (par défaut) ou nginx' },
    },
    'email-domain-blocks list': {
      summary: 'Lister les domaines d’adresses e-mail qui ne peuvent pas s’inscrire, les plus récents d’abord',
      options: { limit: 'combien de lignes ; 100 par défaut' },
    },
    'email-domain-blocks add': {
      summary: 'Refuser les inscriptions avec des adresses e-mail de domaines',
      options: {
        'allow-with-approval': 'laisser l’équipe approuver ces inscriptions au lieu de les refuser',
        'with-dns-records': 'bloquer aussi les serveurs de messagerie des domaines et leurs adresses',
      },
    },
    'email-domain-blocks remove': {
      summary: 'Lever le blocage de domaines d’adresses e-mail et des serveurs de messagerie bloqués avec eux',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'canonical-email-blocks find': {
      summary: 'Montrer si une adresse e-mail ne peut pas s’inscrire, quelle que soit sa graphie',
      options: {},
    },
    'canonical-email-blocks remove': {
      summary: 'Lever le blocage d’une adresse e-mail',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'media remove': {
      summary: 'Supprimer les copies de médias distants inutilisées. Elles sont récupérées au besoin',
      options: {
        days: 'seulement celles qui sont inutilisées depuis ce nombre de jours ; 7 par défaut',
        'keep-interacted':
          'laisser celles des messages que des personnes d’ici ont mis en favori ou en signet, partagés, cités ou auxquels elles ont répondu',
        'dry-run': 'seulement dire ce qui serait fait',
      },
    },
    'media usage': { summary: 'Montrer la place que prennent les médias', options: {} },
    'media refresh': {
      summary: 'Récupérer à nouveau les images des comptes d’autres serveurs',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'media remove-orphans': {
      summary: 'Supprimer les fichiers que rien dans la base ne nomme',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'media lookup': {
      summary:
        'Montrer à quel message, compte ou émoji appartient un fichier, d’après son adresse ici ou sur son serveur',
      options: {},
    },
    'feeds build': {
      summary: 'Reconstruire le fil d’accueil d’un compte, ou de tous',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'feeds clear': {
      summary: 'Supprimer tous les fils d’accueil. Ils sont reconstruits quand on les lit',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'search deploy': { summary: 'Reconstruire l’index de recherche pendant que le serveur tourne', options: {} },
    'statuses remove': {
      summary:
        'Supprimer les messages d’autres serveurs auxquels personne ici n’a réagi. Ceux des comptes suivis ici restent',
      options: {
        days: 'seulement ceux qui sont plus anciens que ce nombre de jours ; 90 par défaut',
        'clean-followed': 'supprimer aussi les messages des comptes suivis',
        'dry-run': 'seulement dire ce qui serait fait',
      },
    },
    'settings registrations': {
      summary: 'Ouvrir ou fermer les inscriptions, ou les soumettre à approbation',
      options: {},
    },
    'cache clear': {
      summary: 'Supprimer les traductions enregistrées, et faire relire les paramètres aux serveurs',
      options: {},
    },
    'cache recount': {
      summary: 'Recompter messages, abonné·e·s et réactions, et corriger les chiffres faux',
      options: {},
    },
    'maintenance reindex': {
      summary: 'Reconstruire tous les index de la base pendant que le serveur tourne',
      options: { 'dry-run': 'seulement dire ce qui serait fait' },
    },
    'self-destruct': {
      summary: 'Supprimer tous les comptes de ce serveur et le dire à tous les autres. C’est irréversible',
      options: {
        confirm: 'le domaine de ce serveur ; demandé s’il n’est pas donné',
        'dry-run': 'seulement dire ce qui serait fait',
      },
    },
    statistics: { summary: 'Montrer les chiffres de ce serveur', options: {} },
  },
  done: ({ what }: { what: string }) => `Fait : ${what}.`,
  nothing_changed: 'Rien n’a été modifié.',
  would: ({ what }: { what: string }) => `Serait fait : ${what}. Rien n’a été modifié.`,
  units: {
    accounts: ({ count }) => plural('fr', count, { one: '# compte', other: '# comptes' }),
    blocks: ({ count }) => plural('fr', count, { one: '# blocage', other: '# blocages' }),
    corrections: ({ count }) => plural('fr', count, { one: '# correction', other: '# corrections' }),
    emojis: ({ count }) => plural('fr', count, { one: '# émoji', other: '# émojis' }),
    feeds: ({ count }) => plural('fr', count, { one: '# fil d’accueil', other: '# fils d’accueil' }),
    files: ({ count }) => plural('fr', count, { one: '# fichier', other: '# fichiers' }),
    follows: ({ count }) => plural('fr', count, { one: '# abonnement', other: '# abonnements' }),
    posts: ({ count }) => plural('fr', count, { one: '# message', other: '# messages' }),
    rows: ({ count }) => plural('fr', count, { one: '# ligne', other: '# lignes' }),
    servers: ({ count }) => plural('fr', count, { one: '# serveur', other: '# serveurs' }),
    tables: ({ count }) => plural('fr', count, { one: '# table', other: '# tables' }),
    translations: ({ count }) => plural('fr', count, { one: '# traduction', other: '# traductions' }),
  },
  progress: ({ done, total }: { done: number; total: number }) => `${done} sur ${total}`,
  so_far: ({ count }: { count: number }) => `${count} jusqu’ici`,
  no_domain: ({ text }: { text: string }) => `${text} n’est pas un domaine comme example.org`,
  not_remote_account: ({ text }: { text: string }) => `« ${text} » n’est pas un compte d’un autre serveur.`,
  same_account: 'C’est un seul et même compte.',
  other_key:
    'Ces comptes n’ont aucune clé en commun : vérifiez qu’ils appartiennent à la même personne, puis utilisez --force.',
  not_remote: ({ text }: { text: string }) =>
    `${text} ne nomme aucun compte d’un autre serveur. Indiquez-en un avec son serveur, comme ada@example.org, un domaine ou all.`,
  unreachable: ({ domains }: { domains: string }) => `Ces serveurs n’ont pas répondu : ${domains}`,
  block_effects: ({
    accounts,
    statuses,
    following,
    followers,
  }: {
    accounts: number
    statuses: number
    following: number
    followers: number
  }) =>
    `Comptes : ${accounts}. Messages : ${statuses}. Abonnements perdus : ${following} d’ici, ${followers} de là-bas.`,
  reindex_at_work: 'Les index sont déjà en cours de reconstruction par une autre exécution de cette commande.',
  suspended_already: ({ name }: { name: string }) => `${name} est déjà suspendu.`,
  blocked_already: ({ domain }: { domain: string }) => `${domain} est déjà bloqué.`,
  not_pending: ({ username }: { username: string }) => `@${username} n’attend pas d’approbation.`,
  unknown_server: ({ domain }: { domain: string }) => `${domain} n’est pas connu ici. Voir : rookery domains stats`,
  not_blocked: ({ domain }: { domain: string }) => `${domain} n’est pas bloqué.`,
  skipped: {
    blocked: ({ names }: { names: string }) => `Déjà bloqué : ${names}`,
    not_blocked: ({ names }: { names: string }) => `Pas bloqué : ${names}`,
  },
  email_blocked: ({ email }: { email: string }) => `${email} est bloquée.`,
  email_of: ({ username }: { username: string }) => `C’est l’adresse de @${username}, dont le compte a été suspendu.`,
  no_range: ({ text }: { text: string }) => `${text} n’est pas une adresse ou plage IP comme 192.0.2.0/24`,
  no_media_address: ({ text }: { text: string }) => `${text} n’est pas l’adresse d’un fichier`,
  unknown_media: ({ text }: { text: string }) => `Aucun message, compte ou émoji n’a le fichier ${text}.`,
  no_budget: 'Les copies de médias distants sont sans limite.',
  budget: ({ size }: { size: string }) =>
    `Les copies de médias distants peuvent occuper ${size} (media_cache_max_bytes).`,
  self_destruct_effects: ({ accounts, servers }) =>
    `Cela supprime définitivement ${accounts}, avec tous les messages, et prévient ${servers}.`,
  type_domain: ({ domain }: { domain: string }) => `Tapez ${domain} pour continuer :`,
  wrong_domain: ({ domain }: { domain: string }) =>
    `Rien n’a été fait : le domaine ${domain} n’a pas été tapé. Dans les scripts, utilisez --confirm ${domain}.`,
  self_destructed: ({ accounts, servers }) =>
    `Supprimé : ${accounts}. Laissez tourner le serveur jusqu’à ce que la nouvelle soit arrivée partout (${servers}) : voir rookery statistics.`,
  registration_columns: {
    range: 'PLAGE',
    severity: 'RÈGLE',
    until: 'JUSQU’AU',
    since: 'DEPUIS',
    comment: 'NOTE',
    never: 'sans fin',
    domain: 'DOMAINE',
    sign_ups: 'INSCRIPTIONS',
    refused: 'refusées',
    with_approval: 'sur approbation',
    mail_server_of: 'SERVEUR DE MESSAGERIE DE',
  },
  media_owner: {
    kind: 'Fichier',
    kinds: { attachment: 'pièce jointe', avatar: 'image de profil', header: 'image d’en-tête', emoji: 'émoji' },
    status: 'Message',
    account: 'Compte',
    emoji: 'Émoji',
    page: 'Administration',
  },
  server_columns: {
    domain: 'SERVEUR',
    software: 'LOGICIEL',
    accounts: 'COMPTES',
    following: 'SUIVIS',
    followers: 'ABONNÉ·E·S',
    delivered: 'ENVOYÉS',
    failed: 'ÉCHOUÉS',
  },
  usage_columns: { kind: 'QUOI', files: 'FICHIERS', size: 'TAILLE' },
  statistics: {
    users: 'Utilisateurs',
    active_month: 'Actifs en 30 jours',
    statuses: 'Messages',
    servers: 'Serveurs connus',
    media_cache: 'Copies de médias distants',
    jobs_due: 'Tâches à exécuter',
    jobs_delayed: 'Tâches pour plus tard',
    jobs_failed: 'Tâches échouées',
  },
}
