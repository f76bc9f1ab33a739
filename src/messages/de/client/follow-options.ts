import type { ClientFollowOptionsTexts } from '../../en/client/follow-options.ts'

export const deClientFollowOptions: ClientFollowOptionsTexts = {
  title: ({ handle }) => `Was du von ${handle} siehst`,
  notify_hint: 'Du bekommst zu jedem Beitrag eine Benachrichtigung.',
  show_boosts: 'Geteilte Beiträge anzeigen',
  show_boosts_hint: 'Auf deiner Startseite.',
  languages: 'Sprachen',
  languages_all: 'Du siehst Beiträge in allen Sprachen.',
  languages_hint: 'Auf deiner Startseite siehst du nur Beiträge in diesen Sprachen.',
  add_language: 'Sprache hinzufügen',
  remove_language: ({ name }) => `${name} entfernen`,
}
