import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { useLoaded } from '../state/loaded.ts'
import { texts } from '../texts.ts'
import { Empty, Failed, Loading } from '../ui/state-message.tsx'
import { pathOfAddress } from './address.ts'

/** Opens what is at an address. */
export function AddressResult({ address }: { address: string }) {
  const { route } = useLocation()
  const found = useLoaded(async () => ({ path: await pathOfAddress(address) }), [address])
  const path = found.value?.path
  useEffect(() => {
    // Going back should not lead here again.
    if (path) route(path, true)
  }, [path])
  if (found.error) return <Failed error={found.error} retry={found.reload} />
  if (path === null) return <Empty>{texts.search.not_resolved}</Empty>
  return (
    <>
      <Loading />
      <p class="search-note">{texts.search.looking_up}</p>
    </>
  )
}
