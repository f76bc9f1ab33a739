import { useEffect, useState } from 'preact/hooks'

/** An address for a file of this device, for as long as the component shows it. */
export function useObjectUrl(file: Blob | null | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return setAddress(null)
    const created = URL.createObjectURL(file)
    setAddress(created)
    return () => URL.revokeObjectURL(created)
  }, [file])
  return address
}
