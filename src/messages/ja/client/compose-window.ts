import type { ClientComposeWindowTexts } from '../../en/client/compose-window.ts'

export const jaClientComposeWindow: ClientComposeWindowTexts = {
  pop_out: '別のウィンドウで書く',
  pop_in: 'メインウィンドウに戻す',
  blocked: 'ブラウザーがウィンドウを開きませんでした。このサイトのポップアップを許可してから、もう一度お試しください。',
}
