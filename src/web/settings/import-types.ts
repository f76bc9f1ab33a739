import type { ImportType } from '../../domain/portability/import-rows.ts'

export const TYPE_LABELS: Record<ImportType, string> = {
  following: 'Follows',
  lists: 'Lists',
  blocking: 'Blocks',
  muting: 'Mutes',
  domain_blocking: 'Blocked domains',
  bookmarks: 'Bookmarks',
}
