import { Copy } from 'lucide'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/copy-text.ts'

/** Code for another website, with a button that copies it. */
export function CopiedCode({ code }: { code: string }) {
  return (
    <>
      <pre dir="ltr" tabIndex={0}>
        {code}
      </pre>
      <Button icon={Copy} onClick={() => void copyText(code)}>
        {texts.profile_edit.copy_code}
      </Button>
    </>
  )
}
