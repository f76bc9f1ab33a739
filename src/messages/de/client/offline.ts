import type { ClientOfflineTexts } from '../../en/client/offline.ts'

export const deClientOffline: ClientOfflineTexts = {
  too_many_requests: 'Zu viele Anfragen. Warte eine Minute und versuche es dann erneut.',
  unavailable: 'Der Server ist gerade nicht verfügbar. Bitte versuche es gleich noch einmal.',
  too_large: 'Das ist mehr, als der Server annimmt. Wähle eine kleinere Datei oder kürze den Text.',
  sign_out: 'Abmelden',
  sign_out_question: 'Abmelden?',
  sign_out_explanation:
    'Entwürfe, nicht gesendete Beiträge und alles andere, was dieses Gerät für dein Konto gespeichert hat, wird gelöscht.',
  sign_out_of: ({ handle }) => `Von @${handle} abmelden`,
  switch_to: ({ handle }) => `Zu @${handle} wechseln`,
  add_account: 'Weiteres Konto hinzufügen',
  account_gone: 'Du bist bei diesem Konto abgemeldet.',
  install: 'App installieren',
  push_on: 'Benachrichtigungen auf diesem Gerät anzeigen',
  push_alerts: 'Benachrichtigen bei',
  push_from: 'Von',
  push_from_all: 'Allen',
  push_from_followed: 'Personen, denen ich folge',
  push_from_follower: 'Meinen Followern',
}
