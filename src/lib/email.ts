// ASCII "atoms" of RFC 5322 and letters of any script. Quoted local parts are legal, and nobody has one.
const LOCAL_PART = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u
const LABEL = /^[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u

/** Whether a mail can be sent to this text. Hosts without a dot (`admin@localhost`) are fine, comments and names are not. */
export function isEmail(text: string): boolean {
  if (text.length > 254) return false
  const [local = '', domain = '', ...more] = text.split('@')
  return more.length === 0 && LOCAL_PART.test(local) && domain.split('.').every((label) => LABEL.test(label))
}
