// Uploads a file with progress. `fetch` cannot report it.
import type { MediaAttachment } from '../api/entities.ts'
import { ApiError, api, read } from '../api/client.ts'
import { reportConnection, reportSession } from '../api/connection.ts'
import { SESSION_HEADERS } from '../api/session.ts'

/** Milliseconds between looks at a file that the server converts: 1 s, then longer. */
const FIRST_LOOK = 1000
const LAST_LOOK = 5000

/** Milliseconds without progress, or without an answer after it, after which an upload has failed: a connection may end without a word. */
const STALLED = 120_000

export type UploadOptions = {
  description: string
  focus: { x: number; y: number } | null
  signal: AbortSignal
  /** From 0 to 1; 1 while the server processes the file. */
  onProgress: (part: number) => void
}

/** Returns the attachment once a post may have it. Throws ApiError, or an AbortError. */
export async function upload(file: File, options: UploadOptions): Promise<MediaAttachment> {
  const form = new FormData()
  form.append('file', file, file.name || 'file')
  if (options.description) form.append('description', options.description)
  if (options.focus) form.append('focus', focusText(options.focus))
  const { status, attachment } = await send(form, options)
  options.onProgress(1)
  return status === 202 ? processed(attachment.id, options.signal) : attachment
}

export const focusText = ({ x, y }: { x: number; y: number }): string => `${x.toFixed(2)},${y.toFixed(2)}`

function send(
  form: FormData,
  { signal, onProgress }: UploadOptions,
): Promise<{ status: number; attachment: MediaAttachment }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    const fail = () => {
      reportConnection(false)
      reject(new ApiError(0, ''))
    }
    let stalled: ReturnType<typeof setTimeout> | undefined
    const awaitProgress = () => {
      clearTimeout(stalled)
      stalled = setTimeout(() => {
        fail()
        stop()
      }, STALLED)
    }
    signal.throwIfAborted()
    signal.addEventListener('abort', stop)
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      awaitProgress()
      onProgress(total > 0 ? loaded / total : 0)
    })
    request.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
    request.addEventListener('error', fail)
    request.addEventListener('loadend', () => {
      clearTimeout(stalled)
      signal.removeEventListener('abort', stop)
    })
    request.addEventListener('load', () => {
      const body = parse(request.responseText)
      // Such as the page of a captive portal.
      if (request.status < 300 && !body) return fail()
      reportConnection(true)
      if (request.status === 401) reportSession(false)
      if (request.status < 300) resolve({ status: request.status, attachment: body as MediaAttachment })
      else reject(new ApiError(request.status, (body as { error?: string } | null)?.error ?? ''))
    })
    request.open('POST', '/api/v2/media')
    for (const [name, value] of Object.entries(SESSION_HEADERS)) request.setRequestHeader(name, value)
    request.send(form)
    awaitProgress()
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Waits until the server has converted a file: it answers 206 until then. */
async function processed(id: string, signal: AbortSignal): Promise<MediaAttachment> {
  for (let delay = FIRST_LOOK; ; delay = Math.min(LAST_LOOK, delay * 1.5)) {
    await new Promise((resolve) => setTimeout(resolve, delay))
    signal.throwIfAborted()
    const answer = await api.GET('/api/v1/media/{id}', { params: { path: { id } }, signal })
    const attachment = await read(Promise.resolve(answer))
    if (answer.response.status === 200) return attachment
  }
}
