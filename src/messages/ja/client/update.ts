import type { ClientUpdateTexts } from '../../en/client/update.ts'

export const jaClientUpdate: ClientUpdateTexts = {
  ready: '新しいバージョンを利用できます。',
  reload_to_update: '再読み込みして更新',
  incomplete: 'このページの一部を読み込めませんでした。',
  reload: '再読み込み',
}
