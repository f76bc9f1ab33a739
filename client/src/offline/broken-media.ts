/** Loads images, videos and audio again that could not be loaded. Browsers try once. */
export function loadBrokenMedia(): void {
  for (const image of document.images) {
    const address = image.getAttribute('src')
    if (address && image.complete && image.naturalWidth === 0) image.setAttribute('src', address)
  }
  for (const media of document.querySelectorAll<HTMLMediaElement>('video, audio')) if (media.error) media.load()
}
