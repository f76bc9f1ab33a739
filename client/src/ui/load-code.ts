// Loads code that is not needed at once. Where the network was away, it is loaded when it is back.
import { checkConnection, untilOnline } from '../api/connection.ts'

/** Stylesheets of such code that could not be loaded. The build's own loader takes them for loaded. */
const failedStyles = new Set<HTMLLinkElement>()

addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
  },
  true,
)

/** Waits for the network where there is none. Rejects when the server does not have the code, as it has a new version. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (await checkConnection()) {
      await loadStylesAgain()
      // The network may have been away for a moment.
      return load()
    }
    console.info(error)
  }
  await untilOnline()
  await loadStylesAgain()
  return loadCode(load)
}

async function loadStylesAgain(): Promise<void> {
  const links = [...failedStyles]
  failedStyles.clear()
  await Promise.all(
    links.map((link) => {
      const again = link.cloneNode() as HTMLLinkElement
      const settled = new Promise((resolve) => {
        again.addEventListener('load', resolve)
        again.addEventListener('error', resolve)
      })
      link.replaceWith(again)
      return settled
    }),
  )
}
