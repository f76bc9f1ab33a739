import { useEffect, useState } from 'preact/hooks'
import type { DraftMedia } from './draft.ts'
import { readFile } from './store.ts'
import { useObjectUrl } from '../ui/object-url.ts'

/** The file of an attachment, while this device has it. */
export function useMediaFile(key: string): File | null {
  const [file, setFile] = useState<File | null>(null)
  useEffect(() => {
    let isCurrent = true
    void readFile(key).then((found) => isCurrent && setFile(found ?? null))
    return () => void (isCurrent = false)
  }, [key])
  return file
}

/** An address of the media itself: on this device if possible, otherwise on the server. */
export function useMediaUrl({ key, attachment }: DraftMedia): string | null {
  const file = useMediaFile(key)
  const address = useObjectUrl(file)
  return (file && address) ?? attachment?.url ?? null
}
