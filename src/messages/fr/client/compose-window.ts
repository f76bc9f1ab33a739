import type { ClientComposeWindowTexts } from '../../en/client/compose-window.ts'

export const frClientComposeWindow: ClientComposeWindowTexts = {
  pop_out: 'Écrire dans une fenêtre à part',
  pop_in: 'Revenir à la fenêtre principale',
  blocked: 'Le navigateur n’a pas ouvert de fenêtre. Autorisez ce site à ouvrir des fenêtres, puis réessayez.',
  not_stored: 'Ce navigateur n’a pas pu enregistrer le brouillon, qui reste donc dans cette fenêtre.',
}
