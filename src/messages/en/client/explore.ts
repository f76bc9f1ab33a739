export const enClientExplore = {
  posts: 'Posts',
  tags: 'Hashtags',
  links: 'News',
  people: 'People',
  empty: 'Nothing is trending right now. Look again later.',
  people_days: ({ people }: { people: string }) => `Up to ${people} people a day`,
  link_posts: ({ people }: { people: string }) => `Posts by up to ${people} people a day`,
}

export type ClientExploreTexts = typeof enClientExplore
