// The baseline: plain HTML with the same posts, from a server that only sends bytes. It shows what browser and machine need anyway.
import { send } from '../lib/http.ts'
import type { World } from '../lib/world.ts'

type Post = { account: { display_name: string }; content: string }

/** What a page of the client's timelines has. */
const PAGE = 20

/** A page with as many posts. A click on one shows it alone. */
export async function servePlainPage({ server, bare, users }: World, posts: number): Promise<string> {
  const [user] = users
  const path = `/api/v1/timelines/public?limit=${PAGE}`
  const known = await send<Post[]>(server.target, { method: 'GET', path, token: user?.token ?? '' })
  const articles = Array.from({ length: posts }, (_, index) => {
    const { account, content } = known[index % known.length] as Post
    return `<div data-index="${index}"><article class="status"><b>${account.display_name}</b>${content}</article></div>`
  })
  const html = `<!doctype html><meta charset="utf-8"><title>Plain</title><style>${STYLE}</style>
<main>${articles.join('')}</main><script>${SCRIPT}</script>`
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8'
  await bare.answerWith({ status: 200, head, body: Buffer.from(html) })
  return `http://localhost:${bare.target.port}/`
}

const STYLE = 'main { max-inline-size: 37rem; margin: auto } article { min-block-size: 10rem; padding: 1rem }'
const SCRIPT = `addEventListener('click', ({ target }) => {
  const post = target.closest('article')
  if (!post) return
  post.className = 'status-detail'
  document.querySelector('main').replaceChildren(post)
})`
