/** The address of a hashtag's timeline. `name` is without the #. */
export const tagPath = (name: string): string => `/tags/${encodeURIComponent(name)}`
