import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { useLoaded } from '../state/loaded.ts'
import { texts } from '../texts.ts'
import { webAddress } from '../ui/web-address.ts'
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
  if (found.error)
    return (
      <>
        <Failed error={found.error} retry={found.reload} />
        <p class="search-note">
          <Original address={address} />
        </p>
      </>
    )
  if (path === null)
    return (
      <Empty>
        {texts.search.not_resolved}
        <Original address={address} />
      </Empty>
    )
  return (
    <>
      <Loading />
      <p class="search-note">
        {texts.search.looking_up}
        <Original address={address} />
      </p>
    </>
  )
}

function Original({ address }: { address: string }) {
  return (
    <>
      {' '}
      <a href={webAddress(address)} target="_blank" rel="noopener noreferrer nofollow">
        {texts.statuses.open_original}
      </a>
    </>
  )
}
