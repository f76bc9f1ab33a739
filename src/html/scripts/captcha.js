// A proof of work for forms with <div data-captcha="{challenge}" data-messages="{…}">: tries passwords until the key that PBKDF2
// derives from one begins as the challenge says, and sends the attempt's number along.

const box = /** @type {HTMLElement | null} */ (document.querySelector('[data-captcha]'))
const form = box?.closest('form')
const input = /** @type {HTMLInputElement | null | undefined} */ (box?.querySelector('input[type=hidden]'))
const line = /** @type {HTMLElement | null | undefined} */ (box?.querySelector('[role=status]'))
const messages = JSON.parse(box?.dataset.messages ?? '{}')

/** @param {string} hex */
const toBytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** @param {Uint8Array} bytes */
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** @param {any} challenge as the server gives it */
async function solve(challenge) {
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters
  const settings = { name: 'PBKDF2', hash: 'SHA-256', salt: toBytes(salt), iterations: cost }
  const password = new Uint8Array([...toBytes(nonce), 0, 0, 0, 0])
  const view = new DataView(password.buffer)
  for (let counter = 0; ; counter++) {
    view.setUint32(password.length - 4, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const derivedKey = toHex(new Uint8Array(await crypto.subtle.deriveBits(settings, key, keyLength * 8)))
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey }
  }
}

/** @param {string} text */
function tell(text) {
  if (line) line.textContent = text
}

if (box && form && input) {
  const challenge = JSON.parse(box.dataset.captcha ?? '{}')
  tell(messages.working)
  let waiting = false
  // Starts while the user fills in the form.
  const solved = solve(challenge).then(
    (solution) => {
      input.value = JSON.stringify({ challenge, solution })
      tell(messages.done)
    },
    () => tell(messages.failed),
  )
  form.addEventListener('submit', (event) => {
    if (input.value !== '') return
    event.preventDefault()
    if (waiting) return
    waiting = true
    void solved.then(() => {
      waiting = false
      if (input.value !== '') form.submit()
    })
  })
}
