import type { ClientComposeWindowTexts } from '../../en/client/compose-window.ts'

export const deClientComposeWindow: ClientComposeWindowTexts = {
  pop_out: 'In einem eigenen Fenster schreiben',
  pop_in: 'Zurück ins Hauptfenster',
  blocked: 'Der Browser hat kein Fenster geöffnet. Erlaube dieser Website Pop-ups und versuche es dann erneut.',
}
