/** An address that others wrote, if a link may lead there: never a script. */
export const webAddress = (address: string | null | undefined): string | undefined =>
  address && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined

/** The host of such an address, as people know it. */
export const hostOfAddress = (address: string): string => new URL(address).hostname.replace(/^www\./, '')

/** Where other servers have posts, by their software: Mastodon, GoToSocial, ActivityPub ids, Misskey, Pleroma, Pixelfed. */
const POST =
  /^\/(?:@[^/]+\/(?:statuses\/\w{20,}|\d{10,})|users\/[^/]+\/statuses\/\w{10,}|notes\/\w{10,}|(?:objects|notice)\/[\w-]{18,}|p\/[^/]+\/\d{10,})\/?$/

/** Whether an address looks like that of a post. */
export const isPostAddress = (address: string): boolean => POST.test(new URL(address).pathname)
