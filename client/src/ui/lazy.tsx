import type { ComponentType } from 'preact'
import { lazy as lazyOf } from 'preact-iso'
import { ApiError } from '../api/client.ts'
import { isConnected } from '../api/connection.ts'
import { Failed } from './state-message.tsx'

/** A component whose code is loaded when it is shown first. Where it cannot be loaded, it says so, and tries again. */
export const lazy = <P,>(load: () => Promise<ComponentType<P>>) =>
  lazyOf(() =>
    load().catch((error: unknown): ComponentType<P> => {
      const shown = isConnected.peek() ? error : new ApiError(0, '')
      // Browsers remember that a module could not be loaded.
      return () => <Failed error={shown} retry={() => location.reload()} />
    }),
  )
