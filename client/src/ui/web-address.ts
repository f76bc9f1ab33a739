/** An address that others wrote, if a link may lead there: never a script. */
export const webAddress = (address: string | null | undefined): string | undefined =>
  address && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined

/** The host of such an address, as people know it. */
export const hostOfAddress = (address: string): string => new URL(address).hostname.replace(/^www\./, '')
