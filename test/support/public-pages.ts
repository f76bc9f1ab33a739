import assert from 'node:assert/strict'
import type { Answer, Person, TestServer } from './server.ts'

export const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

export type PublicPages = {
  /** Without a session. */
  see(path: string): Promise<Answer>
  /** Asserts that the page has one main heading and no scripts or inline styles. Returns its text. */
  page(path: string): Promise<string>
}

export function publicPages(server: TestServer): PublicPages {
  const see = (path: string): Promise<Answer> => server.send('GET', path, { headers: BROWSER })

  async function page(path: string): Promise<string> {
    const { status, text } = await see(path)
    assert.equal(status, 200, `${path}: ${text}`)
    assert.doesNotMatch(text, /<script|\sstyle="|\son\w+="|undefined|\[object/, path)
    assert.equal(text.match(/<h1[ >]/g)?.length, 1, `${path} has one main heading`)
    assert.match(text, /<main id="main"/)
    return text
  }

  return { see, page }
}

export const post = (author: Person, status: string, more: object = {}): Promise<{ id: string; url: string }> =>
  author.post('/api/v1/statuses', { status, ...more })
