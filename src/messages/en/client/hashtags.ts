type Count = { count: number }
type Lists = { any: string; all: string; none: string }

export const enClientHashtags = {
  /** The lists of `all` and `none` may be empty. */
  title: ({ any, all, none }: Lists) => `${any}${all && ` with ${all}`}${none && ` without ${none}`}`,
  choose: 'Further hashtags',
  any: 'Or one of these hashtags',
  all: 'And all of these',
  none: 'But none of these',
  hint: ({ count }: Count) => `Up to ${count}, with spaces between them.`,
  local: 'Only posts of this server',
  only_media: 'Only posts with media',
  show: 'Show',
  invalid: ({ name }: { name: string }) => `“${name}” is not a hashtag.`,
  too_many: ({ count }: Count) => `No more than ${count} hashtags are possible.`,
}

export type ClientHashtagsTexts = typeof enClientHashtags
