import type { ClientComposeWindowTexts } from '../../en/client/compose-window.ts'

export const esClientComposeWindow: ClientComposeWindowTexts = {
  pop_out: 'Escribir en una ventana aparte',
  pop_in: 'Volver a la ventana principal',
  blocked:
    'El navegador no abrió ninguna ventana. Permite las ventanas emergentes de este sitio y vuelve a intentarlo.',
}
