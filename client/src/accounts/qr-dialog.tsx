// The address of a profile as a QR code, for people who sit at the same table.
import { Copy, Share2 } from 'lucide'
import { useMemo } from 'preact/hooks'
import { qrCode } from '../../../src/lib/text/qr-code.ts'
import type { Account } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/copy-text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { share } from '../ui/share.ts'
import { webAddress } from '../ui/web-address.ts'
import { handleText } from './acts.ts'
import { closeAccountDialog } from './open.ts'
import './qr-dialog.css'

export function QrDialog({ account }: { account: Account }) {
  const t = texts.qr
  const handle = handleText(account)
  const address = webAddress(account.url ?? account.uri) ?? ''
  // The code has bytes: an address with other letters is written as requests would.
  const { size, path } = useMemo(() => qrCode(address && new URL(address).href), [address])
  return (
    <Dialog
      title={handle}
      onClose={closeAccountDialog}
      actions={
        <>
          {'share' in navigator && (
            <Button icon={Share2} onClick={() => void share({ url: address })}>
              {texts.statuses.share}
            </Button>
          )}
          <Button icon={Copy} onClick={() => void copyText(address)}>
            {texts.accounts.copy_link}
          </Button>
        </>
      }
    >
      <svg class="qr-code" role="img" aria-label={t.label({ handle })} viewBox={`0 0 ${size} ${size}`}>
        <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
        <path fill="#000" d={path} />
      </svg>
      <p class="qr-hint">{t.hint}</p>
      <p class="qr-hint">
        <bdi dir="ltr">{address}</bdi>
      </p>
    </Dialog>
  )
}
