import type { ClientComposeWindowTexts } from '../../en/client/compose-window.ts'

export const jaClientComposeWindow: ClientComposeWindowTexts = {
  pop_out: '別のウィンドウで書く',
  pop_in: 'メインウィンドウに戻す',
  blocked: 'ブラウザーがウィンドウを開きませんでした。このサイトのポップアップを許可してから、もう一度お試しください。',
  not_stored: 'このブラウザーは下書きを保存できなかったため、下書きはこのウィンドウに残ります。',
}
