import type { ClientComposeWindowTexts } from '../../en/client/compose-window.ts'

export const deClientComposeWindow: ClientComposeWindowTexts = {
  pop_out: 'In einem eigenen Fenster schreiben',
  pop_in: 'Zurück ins Hauptfenster',
  blocked: 'Der Browser hat kein Fenster geöffnet. Erlaube dieser Website Pop-ups und versuche es dann erneut.',
  not_stored: 'Dieser Browser konnte den Entwurf nicht speichern, deshalb bleibt er in diesem Fenster.',
}
