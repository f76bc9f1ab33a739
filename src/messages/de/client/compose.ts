import { plural } from '../../plural.ts'
import type { ClientComposeTexts } from '../../en/client/compose.ts'

export const deClientCompose: ClientComposeTexts = {
  text: 'Text des Beitrags',
  text_of: ({ number, total }) => `Text von Beitrag ${number} von ${total}`,
  placeholder: 'Was gibt’s Neues?',
  placeholder_next: 'Thread fortsetzen',
  left: ({ count }) => plural('de', count, { one: 'Noch # Zeichen', other: 'Noch # Zeichen' }),
  too_long: ({ count }) => plural('de', count, { one: '# Zeichen zu viel', other: '# Zeichen zu viel' }),
  warning: 'Inhaltswarnung',
  warning_placeholder: 'Warnung hier eingeben',
  visibility: 'Sichtbarkeit',
  visibility_hints: {
    public: 'Alle können ihn sehen. Er kann in Live-Feeds, Suche und Trends erscheinen.',
    unlisted: 'Alle können ihn sehen, aber er erscheint nicht in Live-Feeds, Suche und Trends.',
    private: 'Nur deine Follower und erwähnte Personen können ihn sehen.',
    direct: 'Nur erwähnte Personen können ihn sehen.',
  },
  direct_note:
    'Nur die Personen, die du erwähnst, können diesen Beitrag sehen. Er ist nicht verschlüsselt: Die Administratoren ihrer Server könnten ihn lesen.',
  tools: 'Werkzeuge',
  post: 'Veröffentlichen',
  save: 'Änderungen speichern',
  edit_title: 'Beitrag bearbeiten',
  reply_title: 'Antworten',
  in_reply_to: 'Der Beitrag, auf den du antwortest',
  quoted: 'Der Beitrag, den du zitierst',
  media_count: ({ count }) => plural('de', count, { one: '# Anhang', other: '# Anhänge' }),
  remove_post: 'Diesen Beitrag entfernen',
  posted: 'Veröffentlicht',
  saved: 'Änderungen gespeichert',
  scheduled: 'Geplant',
}
