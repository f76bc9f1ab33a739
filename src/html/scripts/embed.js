// For pages of other sites with <iframe src="{post}/embed" class="mastodon-embed"> and this script, as tools write them
// for Mastodon: gives each frame the height that oEmbed names, where it would have that of an empty one.

{
  const { origin } = new URL(/** @type {HTMLScriptElement} */ (document.currentScript).src)

  /** @param {HTMLIFrameElement} frame */
  const fit = async (frame) => {
    const query = new URLSearchParams({ url: frame.src.replace(/\/embed$/, ''), maxwidth: String(frame.clientWidth) })
    const response = await fetch(`${origin}/api/oembed?${query}`)
    if (response.ok) frame.height = (await response.json()).height
  }

  const fitAll = () => {
    // Tools repeat the script for each frame.
    const selector = `iframe.mastodon-embed[src^="${origin}/"]:not([data-fitted])`
    for (const frame of /** @type {NodeListOf<HTMLIFrameElement>} */ (document.querySelectorAll(selector))) {
      frame.dataset['fitted'] = ''
      fit(frame).catch(() => {})
    }
  }

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', fitAll)
  else fitAll()
}
