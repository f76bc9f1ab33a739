// Where a list is pulled down to look for what is new, on touch screens. The code for it comes after the first screen.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadCode } from './load-code.ts'

type PullProps = {
  /** Throws ApiError. */
  refresh: () => Promise<void>
}

export function PullPlace({ refresh }: PullProps) {
  const [Pull, setPull] = useState<ComponentType<PullProps> | null>(null)
  useEffect(() => {
    if (navigator.maxTouchPoints === 0) return
    loadCode(() => import('./pull-to-refresh.tsx')).then(
      ({ PullToRefresh }) => setPull(() => PullToRefresh),
      console.warn,
    )
  }, [])
  return Pull && <Pull refresh={refresh} />
}
