import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Button } from './button.tsx'

type FileButtonProps = {
  icon?: IconNode
  /** The types that the file dialog offers. */
  accept: string
  onFile: (file: File) => void
  children: ComponentChildren
}

/** A button that asks for a file. */
export function FileButton({ icon, accept, onFile, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      {/* Before the button, to which the focus goes when a button after it is removed. */}
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // The same file may be chosen again.
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
      <Button icon={icon} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}
