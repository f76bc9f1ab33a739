import { requestBytes } from '../lib/http.ts'
import { loopRow } from '../lib/loop-row.ts'
import type { Next } from '../lib/loop.ts'
import type { Row } from '../lib/row.ts'
import type { World } from '../lib/world.ts'
import { createRandom } from '../seed/random.ts'

/** Each pair of a public post and a user who has not favourited it, once, in random order. */
function newFavourites(world: World): Next {
  const { statuses, users, favourites, server } = world
  const random = createRandom(101)
  const taken = new Set(favourites)
  const pairs = statuses.flatMap(({ id, author, visibility }, status) =>
    visibility === 'public'
      ? users
          .filter((_, user) => user !== author && !taken.has(`${status}:${user}`))
          .map(({ token }) => ({ order: random.next(), id, token }))
      : [],
  )
  pairs.sort((a, b) => a.order - b.order)
  return () => {
    const pair = pairs[world.newFavourites++]
    if (!pair) return null
    return requestBytes(server.target, {
      method: 'POST',
      path: `/api/v1/statuses/${pair.id}/favourite`,
      token: pair.token,
    })
  }
}

function newPosts({ users, server }: World): Next {
  let turn = 0
  return () => {
    const n = turn++
    const body = {
      status: `Post number ${n} of the benchmark, as long as short posts are #bench`,
      visibility: 'public',
    }
    const token = users[n % users.length]?.token as string
    return requestBytes(server.target, { method: 'POST', path: '/api/v1/statuses', token, body })
  }
}

export const writes: Row[] = [
  { name: 'favourite', title: 'favourite', target: 0.8, requests: newFavourites, writes: true as const },
  { name: 'post', title: 'post to 19 followers', target: 1.2, requests: newPosts, writes: true as const },
].map(loopRow)
