/** Milliseconds after which a broken image is tried again: a proxy may have answered for a server that restarts, or a busy one. */
const DELAYS = [10_000, 60_000]

const attempts = new WeakMap<HTMLImageElement, { address: string; count: number }>()

/** Call it once. Of an image that is missing for good, each element is tried three times in all. */
export function retryImages(): void {
  for (const image of document.images) if (isBroken(image)) retryLater(image)
  document.addEventListener('error', ({ target }) => target instanceof HTMLImageElement && retryLater(target), true)
}

const isBroken = (image: HTMLImageElement): boolean =>
  Boolean(image.getAttribute('src')) && image.complete && image.naturalWidth === 0

function retryLater(image: HTMLImageElement): void {
  const address = image.getAttribute('src') ?? ''
  const before = attempts.get(image)
  const count = before?.address === address ? before.count : 0
  const delay = DELAYS[count]
  if (delay === undefined) return
  attempts.set(image, { address, count: count + 1 })
  setTimeout(() => image.isConnected && reload(image), delay)
}

function reload(image: HTMLImageElement): void {
  if (isBroken(image)) image.setAttribute('src', image.getAttribute('src') ?? '')
}

/** Loads images, videos and audio again that could not be loaded. Browsers try once. */
export function loadBrokenMedia(): void {
  for (const image of document.images) reload(image)
  for (const media of document.querySelectorAll<HTMLMediaElement>('video, audio')) if (media.error) media.load()
}
