const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** base58btc. Meant for keys: the time grows with the square of the length. */
export function encodeBase58(bytes: Buffer): string {
  let number = bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)]! + text
  for (const byte of bytes) {
    if (byte !== 0) break
    text = alphabet[0]! + text
  }
  return text
}

/** The bytes of a base58btc text, or null when it has foreign characters. */
export function decodeBase58(text: string): Buffer | null {
  let number = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return null
    number = number * 58n + BigInt(digit)
  }
  const zeros = text.length - text.replace(/^1+/, '').length
  const hex = number === 0n ? '' : number.toString(16)
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')])
}
