import { plural } from '../../plural.ts'

type Count = { count: number }

export const enClientCompose = {
  text: 'Text of the post',
  text_of: ({ number, total }: { number: number; total: number }) => `Text of post ${number} of ${total}`,
  placeholder: 'What is on your mind?',
  placeholder_next: 'Continue the thread',
  left: ({ count }: Count) => plural('en', count, { one: '# character left', other: '# characters left' }),
  too_long: ({ count }: Count) => plural('en', count, { one: '# character too many', other: '# characters too many' }),
  warning: 'Content warning',
  warning_placeholder: 'Write your warning here',
  visibility: 'Visibility',
  visibility_hints: {
    public: 'Everyone can see it. It may appear in live feeds, searches and trends.',
    unlisted: 'Everyone can see it, but it stays out of live feeds, searches and trends.',
    private: 'Only your followers and the people you mention can see it.',
    direct: 'Only the people you mention can see it.',
  },
  direct_note:
    'Only the people you mention can see this post. It is not encrypted: the administrators of their servers could read it.',
  tools: 'Tools',
  post: 'Post',
  save: 'Save changes',
  edit_title: 'Edit post',
  reply_title: 'Reply',
  in_reply_to: 'The post you reply to',
  quoted: 'The post you quote',
  media_count: ({ count }: Count) => plural('en', count, { one: '# attachment', other: '# attachments' }),
  remove_post: 'Remove this post',
  posted: 'Posted',
  saved: 'Changes saved',
  scheduled: 'Scheduled',
}

export type ClientComposeTexts = typeof enClientCompose
