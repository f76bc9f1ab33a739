// Forms that a passkey fills in: <form data-passkey="create|get" data-options="…"> with an input named `answer`.
// The script asks for the passkey when the user submits the form, and then submits the answer.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-passkey]'))
const message = /** @type {HTMLElement | null} */ (document.querySelector('[data-passkey-message]'))

/** @param {string} text */
function tell(text) {
  if (!message) return
  message.textContent = text
  message.hidden = false
}

/** @param {string} text base64url */
function toBytes(text) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
}

/** @param {ArrayBuffer | null} buffer */
function toText(buffer) {
  const text = String.fromCharCode(...new Uint8Array(buffer ?? new ArrayBuffer(0)))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** @param {{ id: string }} credential */
const withBytes = (credential) => ({ ...credential, id: toBytes(credential.id) })

/** @param {string} kind @param {any} options as the server gives them */
async function ask(kind, options) {
  const challenge = toBytes(options.challenge)
  if (kind === 'create') {
    const user = { ...options.user, id: toBytes(options.user.id) }
    const excludeCredentials = (options.excludeCredentials ?? []).map(withBytes)
    return navigator.credentials.create({ publicKey: { ...options, challenge, user, excludeCredentials } })
  }
  const allowCredentials = (options.allowCredentials ?? []).map(withBytes)
  return navigator.credentials.get({ publicKey: { ...options, challenge, allowCredentials } })
}

/** @param {PublicKeyCredential} credential */
function answerOf(credential) {
  const response = /** @type {any} */ (credential.response)
  const { id, type } = credential
  const clientDataJSON = toText(response.clientDataJSON)
  const more = response.attestationObject
    ? { attestationObject: toText(response.attestationObject), transports: response.getTransports?.() ?? [] }
    : {
        authenticatorData: toText(response.authenticatorData),
        signature: toText(response.signature),
        ...(response.userHandle ? { userHandle: toText(response.userHandle) } : {}),
      }
  const clientExtensionResults = credential.getClientExtensionResults()
  return JSON.stringify({ id, rawId: id, type, clientExtensionResults, response: { clientDataJSON, ...more } })
}

form?.addEventListener('submit', (event) => {
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem('answer'))
  if (input.value !== '') return
  event.preventDefault()
  const messages = JSON.parse(form.dataset.messages ?? '{}')
  if (!('credentials' in navigator)) return tell(messages.unsupported)
  ask(form.dataset.passkey ?? '', JSON.parse(form.dataset.options ?? '{}')).then(
    (credential) => {
      input.value = answerOf(/** @type {PublicKeyCredential} */ (credential))
      form.submit()
    },
    (error) => {
      const isKnown = error instanceof DOMException && error.name === 'InvalidStateError'
      tell(isKnown ? messages.exists : messages.failed)
    },
  )
})
