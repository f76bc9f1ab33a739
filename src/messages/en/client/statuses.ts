import { plural } from '../../plural.ts'

export const enClientStatuses = {
  actions: 'Actions',
  boosted_by: '{name} boosted',
  boosted_by_many: ({ count }: { count: number }) =>
    plural('en', count, { one: '{name} and # other boosted', other: '{name} and # others boosted' }),
  edited: 'Edited',
  reply: 'Reply',
  boost: 'Boost',
  undo_boost: 'Undo boost',
  favourite: 'Favourite',
  undo_favourite: 'Remove from favourites',
  bookmark: 'Bookmark',
  undo_bookmark: 'Remove bookmark',
  more: 'More',
  copy_link: 'Copy link',
  link_copied: 'Link copied',
  open_original: 'Open original page',
  show_more: 'Show more',
  show_less: 'Show less',
  visibilities: {
    public: 'Public',
    unlisted: 'Unlisted',
    private: 'Followers only',
    direct: 'Private mention',
  },
}

export type ClientStatusesTexts = typeof enClientStatuses
