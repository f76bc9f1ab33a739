import { groupedNumber, plural } from '../../plural.ts'
import type { ClientTimelinesTexts } from '../../en/client/timelines.ts'

export const frClientTimelines: ClientTimelinesTexts = {
  new_posts: ({ count }: { count: number }) =>
    plural('fr', count, { one: '# nouveau message', other: '# nouveaux messages' }),
  refreshed: 'À jour',
  load_gap: 'Charger les messages manquants',
  end: 'Vous êtes arrivé·e à la fin.',
  empty: 'Il n’y a pas encore de messages ici.',
  home_empty: 'Votre fil est vide. Suivez des personnes pour le remplir.',
  find_people: 'Trouver des personnes à suivre',
  bookmarks_empty: 'Vous n’avez pas encore de marque-pages. Vous seul·e les voyez.',
  favourites_empty: 'Vous n’avez pas encore de favoris.',
  list_empty: 'Il n’y a encore rien dans cette liste. Les nouveaux messages de ses membres apparaîtront ici.',
  edit_list: 'Modifier la liste',
  link_posts: 'Messages avec ce lien',
  follow_tag: 'Suivre le hashtag',
  unfollow_tag: 'Ne plus suivre le hashtag',
  feature_tag: 'Mettre en vedette sur le profil',
  unfeature_tag: 'Ne plus mettre en vedette',
  posts_this_week: ({ count }: { count: number }) =>
    plural('fr', count, { one: '# message cette semaine', other: '# messages cette semaine' }, groupedNumber),
  catch_up: {
    explanation: 'Voyez ce qui s’est passé dans votre fil pendant votre absence, sans tout faire défiler.',
    last_hours: ({ count }: { count: number }) =>
      plural('fr', count, { one: 'La dernière heure', other: 'Les # dernières heures' }),
    start: 'Rattraper mon retard',
    progress: ({ posts, time }: { posts: string; time: string }) => `${posts} messages jusqu’ici, jusqu’à ${time}…`,
    nothing: ({ count }: { count: number }) =>
      plural('fr', count, { one: 'Rien de nouveau depuis une heure.', other: 'Rien de nouveau depuis # heures.' }),
    show: 'Afficher',
    all: 'Tout',
    kinds: { posts: 'Messages', replies: 'Réponses', boosts: 'Partages', media: 'Médias' },
    order: 'Ordre',
    orders: {
      newest: 'Plus récents',
      oldest: 'Plus anciens',
      favourites: 'Plus de favoris',
      boosts: 'Plus de partages',
      replies: 'Plus de réponses',
      author: 'Par auteur·rice',
    },
    links: 'Liens les plus partagés',
    shared_by: ({ count }: { count: number }) =>
      plural('fr', count, { one: 'partagé par # personne', other: 'partagé par # personnes' }),
    authors: 'Auteur·rice·s',
    done: 'C’est tout. Vous êtes à jour.',
  },
  continue_reading: 'Reprendre votre lecture là où elle en est sur un autre appareil',
  stay_here: 'Rester ici',
  first_steps: 'Premiers pas',
  hide_first_steps: 'Masquer les premiers pas',
  step_done: 'Fait',
  step_profile: 'Présentez-vous',
  step_profile_hint: 'Avec une image de profil et quelques mots sur vous, les gens savent qui les suit.',
  step_post: 'Écrivez votre premier message',
  step_post_hint: 'Beaucoup se présentent avec le hashtag #introduction, pour qu’on les trouve.',
  step_follow: 'Suivez des gens',
  step_follow_hint:
    'Recherchez un identifiant complet comme @name@example.org : les messages d’autres serveurs arrivent aussi dans votre fil.',
  step_suggestions: 'Voir les suggestions',
  step_import: 'Vous venez d’un autre serveur ?',
  step_import_hint: 'Emportez vos abonnements, vos listes et vos blocages.',
  federated_empty:
    'Aucun message ici pour l’instant. Ceux d’autres serveurs arrivent dès que quelqu’un d’ici y suit des gens.',
  boost_run: ({ count }: { count: number }) => plural('fr', count, { one: '# partage', other: '# partages' }),
  previous_boosts: 'Partages précédents',
  next_boosts: 'Partages suivants',
}
