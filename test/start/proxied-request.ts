// A request from a client, through a TLS proxy.
import { once } from 'node:events'
import { request, type RequestOptions } from 'node:https'

export type Answer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  json: any
}

export type Asking = {
  token?: string
  json?: unknown
  form?: Record<string, string>
  headers?: Record<string, string>
  /** How to resolve names, and which authority to trust. */
  connection: Pick<RequestOptions, 'lookup' | 'ca'>
}

/** Does not follow redirects. */
export async function askFrom(method: string, url: string, asking: Asking): Promise<Answer> {
  const { token, json, form, headers = {}, connection } = asking
  const body = json !== undefined ? JSON.stringify(json) : form && new URLSearchParams(form).toString()
  const type = json !== undefined ? 'application/json' : form && 'application/x-www-form-urlencoded'
  const sending = request(url, {
    ...connection,
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(type ? { 'content-type': type } : {}),
      ...headers,
    },
  }).end(body)
  const [answer] = await once(sending, 'response')
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  const isJson = /^[[{]/.test(text)
  return { status: answer.statusCode, headers: answer.headers, text, json: isJson ? JSON.parse(text) : undefined }
}
