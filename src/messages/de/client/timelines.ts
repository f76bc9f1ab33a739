import { groupedNumber, plural } from '../../plural.ts'
import type { ClientTimelinesTexts } from '../../en/client/timelines.ts'

export const deClientTimelines: ClientTimelinesTexts = {
  new_posts: ({ count }: { count: number }) =>
    plural('de', count, { one: '# neuer Beitrag', other: '# neue Beiträge' }),
  refreshed: 'Auf dem neuesten Stand',
  load_gap: 'Fehlende Beiträge laden',
  end: 'Du bist am Ende angekommen.',
  empty: 'Hier gibt es noch keine Beiträge.',
  home_empty: 'Deine Startseite ist leer. Folge Leuten, um sie zu füllen.',
  find_people: 'Leute zum Folgen finden',
  bookmarks_empty: 'Du hast noch keine Lesezeichen. Nur du siehst sie.',
  favourites_empty: 'Du hast noch keine Favoriten.',
  list_empty: 'In dieser Liste ist noch nichts. Neue Beiträge ihrer Mitglieder erscheinen hier.',
  edit_list: 'Liste bearbeiten',
  link_posts: 'Beiträge mit diesem Link',
  follow_tag: 'Hashtag folgen',
  unfollow_tag: 'Hashtag entfolgen',
  feature_tag: 'Im Profil vorstellen',
  unfeature_tag: 'Nicht mehr im Profil vorstellen',
  posts_this_week: ({ count }: { count: number }) =>
    plural('de', count, { one: '# Beitrag diese Woche', other: '# Beiträge diese Woche' }, groupedNumber),
  catch_up: {
    explanation:
      'Sieh nach, was auf deiner Startseite passiert ist, während du weg warst, ohne durch alles zu scrollen.',
    last_hours: ({ count }: { count: number }) =>
      plural('de', count, { one: 'Die letzte Stunde', other: 'Die letzten # Stunden' }),
    start: 'Nachlesen',
    progress: ({ posts, time }: { posts: string; time: string }) => `Bisher ${posts} Beiträge, zurück bis ${time} …`,
    nothing: ({ count }: { count: number }) =>
      plural('de', count, {
        one: 'Nichts Neues in der letzten Stunde.',
        other: 'Nichts Neues in den letzten # Stunden.',
      }),
    show: 'Anzeigen',
    all: 'Alle',
    kinds: { posts: 'Beiträge', replies: 'Antworten', boosts: 'Geteilte', media: 'Medien' },
    order: 'Reihenfolge',
    orders: {
      newest: 'Neueste zuerst',
      oldest: 'Älteste zuerst',
      favourites: 'Meiste Favoriten',
      boosts: 'Am häufigsten geteilt',
      replies: 'Meiste Antworten',
      author: 'Nach Person',
    },
    links: 'Meistgeteilte Links',
    shared_by: ({ count }: { count: number }) =>
      plural('de', count, { one: 'von # Person geteilt', other: 'von # Personen geteilt' }),
    authors: 'Personen',
    done: 'Das war alles. Du bist auf dem neuesten Stand.',
  },
  continue_reading: 'Weiterlesen, wo du auf einem anderen Gerät aufgehört hast',
  stay_here: 'Hier bleiben',
  first_steps: 'Erste Schritte',
  hide_first_steps: 'Erste Schritte ausblenden',
  step_done: 'Erledigt',
  step_profile: 'Stell dich vor',
  step_profile_hint: 'Mit Profilbild und ein paar Worten über dich wissen andere, wer ihnen folgt.',
  step_post: 'Schreib deinen ersten Beitrag',
  step_post_hint: 'Viele grüßen mit dem Hashtag #introduction, damit andere sie finden.',
  step_follow: 'Folge Leuten',
  step_follow_hint:
    'Such nach einer vollständigen Adresse wie @name@example.org: Auch Beiträge anderer Server erscheinen auf deiner Startseite.',
  step_suggestions: 'Vorschläge ansehen',
  step_import: 'Kommst du von einem anderen Server?',
  step_import_hint: 'Bring die Leute, denen du folgst, Listen und Blockierungen mit.',
  federated_empty:
    'Hier gibt es noch keine Beiträge. Beiträge anderer Server kommen an, sobald jemand von hier dort Leuten folgt.',
  boost_run: ({ count }: { count: number }) =>
    plural('de', count, { one: '# geteilter Beitrag', other: '# geteilte Beiträge' }),
  previous_boosts: 'Vorherige geteilte Beiträge',
  next_boosts: 'Nächste geteilte Beiträge',
}
