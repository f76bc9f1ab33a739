import { texts } from '../texts.ts'
import { Page } from '../ui/page.tsx'
import { Empty } from '../ui/state-message.tsx'

/** `/@user`, `/@user@host/with_replies`, `/@user/123`; anything else does not exist. */
export function HandleScreen() {
  return <NotFoundScreen />
}

function NotFoundScreen() {
  return (
    <Page title={texts.frame.not_found_title}>
      <Empty>{texts.frame.not_found}</Empty>
    </Page>
  )
}
