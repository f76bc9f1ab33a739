import { texts } from '../texts.ts'
import { Empty } from '../ui/state-message.tsx'

export function NothingFound({ q }: { q: string }) {
  return (
    <>
      <Empty>{texts.search.nothing({ query: q })}</Empty>
      <p class="search-note">{texts.search.posts_found}</p>
    </>
  )
}
