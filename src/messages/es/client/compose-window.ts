import type { ClientComposeWindowTexts } from '../../en/client/compose-window.ts'

export const esClientComposeWindow: ClientComposeWindowTexts = {
  pop_out: 'Escribir en una ventana aparte',
  pop_in: 'Volver a la ventana principal',
  blocked:
    'El navegador no abrió ninguna ventana. Permite las ventanas emergentes de este sitio y vuelve a intentarlo.',
  not_stored: 'Este navegador no pudo guardar el borrador, así que se queda en esta ventana.',
}
