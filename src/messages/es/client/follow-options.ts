import type { ClientFollowOptionsTexts } from '../../en/client/follow-options.ts'

export const esClientFollowOptions: ClientFollowOptionsTexts = {
  title: ({ handle }) => `Lo que ves de ${handle}`,
  notify_hint: 'Recibes una notificación por cada publicación.',
  show_boosts: 'Mostrar impulsos',
  show_boosts_hint: 'En tu inicio.',
  languages: 'Idiomas',
  languages_all: 'Ves publicaciones en todos los idiomas.',
  languages_hint: 'En tu inicio ves solo publicaciones en estos idiomas.',
  add_language: 'Añadir un idioma',
  remove_language: ({ name }) => `Quitar ${name}`,
}
