import type { ComponentType } from 'preact'
import { lazy as lazyOf } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../api/client.ts'
import { checkConnection, isConnected } from '../api/connection.ts'
import { loadLaterTexts } from '../texts.ts'
import { loadCode } from './load-code.ts'
import { Failed } from './state-message.tsx'
import { showError } from './toasts.tsx'

type Load<P> = () => Promise<ComponentType<P>>

let awaitedDialogs = 0

/** Whether the code of a dialog is on its way: what is typed meanwhile is meant for it. */
export const isDialogAwaited = (): boolean => awaitedDialogs > 0

/**
 * A component whose code is loaded when it is shown first. Where it cannot be loaded, it says so, and tries again. A dialog has no
 * place to say it, and shows a message.
 */
export const lazy = <P,>(loadComponent: Load<P>, { isDialog = false } = {}) => {
  const load = () => withTexts(loadComponent)
  return lazyOf(async (): Promise<ComponentType<P>> => {
    if (isDialog) awaitedDialogs += 1
    try {
      return await load()
    } catch (error) {
      return lateComponent(load, error, isDialog)
    } finally {
      if (isDialog) awaitedDialogs -= 1
    }
  })
}

/** Loads code with the texts of areas that the first screen does not need. */
export async function withTexts<T>(load: () => Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([load(), loadLaterTexts()])
  return loaded
}

function lateComponent<P>(load: Load<P>, error: unknown, isDialog: boolean): ComponentType<P> {
  let loading: Promise<ComponentType<P>> | undefined
  return (props: P & object) => {
    const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null)
    const [failure, setFailure] = useState<unknown>(null)
    const wasAway = useRef(false)
    if (!isConnected.value) wasAway.current = true
    useEffect(() => {
      if (isDialog) showError(error)
      loading ??= loadCode(load)
      loading.then(
        (component) => setLoaded(() => component),
        (reason: unknown) => {
          // Browsers remember that a module could not be loaded.
          if (wasAway.current) location.reload()
          else setFailure(reason)
        },
      )
    }, [])
    if (Loaded) return <Loaded {...props} />
    if (isDialog) return null
    if (failure) return <Failed error={failure} retry={() => location.reload()} />
    return <Failed error={isConnected.value ? error : new ApiError(0, '')} retry={() => void checkConnection()} />
  }
}
