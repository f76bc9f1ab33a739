import { useState } from 'preact/hooks'
import { addFiles } from './add-media.ts'

/** The attributes of an element onto which files can be dropped, for a post. */
export function useFileDrop(postKey: string | undefined) {
  const [isDropping, setDropping] = useState(false)
  return {
    'data-dropping': isDropping,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setDropping(true)
    },
    onDragLeave: () => setDropping(false),
    onDrop: (event: DragEvent) => {
      setDropping(false)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0 || !postKey) return
      event.preventDefault()
      void addFiles(postKey, files)
    },
  }
}
