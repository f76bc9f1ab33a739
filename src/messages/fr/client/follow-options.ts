import type { ClientFollowOptionsTexts } from '../../en/client/follow-options.ts'

export const frClientFollowOptions: ClientFollowOptionsTexts = {
  title: ({ handle }) => `Ce que vous voyez de ${handle}`,
  notify_hint: 'Vous recevez une notification pour chaque message.',
  show_boosts: 'Afficher les partages',
  show_boosts_hint: 'Dans votre fil d’accueil.',
  languages: 'Langues',
  languages_all: 'Vous voyez les messages dans toutes les langues.',
  languages_hint: 'Dans votre fil d’accueil, vous ne voyez que les messages dans ces langues.',
  add_language: 'Ajouter une langue',
  remove_language: ({ name }) => `Retirer ${name}`,
}
