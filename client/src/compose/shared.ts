// What other apps share with this one, files included: https://w3c.github.io/web-share-target/. A page cannot read the body of the
// request that opens it. The service worker stores it, and the composer takes it.

const CACHE = 'shared'

/** Answers the request of the share target with a redirect to the screen that takes it. What was shared before is replaced. */
export async function storeShared(request: Request): Promise<Response> {
  try {
    const headers = { 'content-type': request.headers.get('content-type') ?? '' }
    const cache = await caches.open(CACHE)
    await cache.put('/share', new Response(await request.blob(), { headers }))
  } catch (error) {
    // Such as on a full device. The screen says that it is missing.
    console.warn(error)
  }
  return Response.redirect('/share?stored', 303)
}

/** Null when it is no longer on this device. */
export async function takeShared(): Promise<FormData | null> {
  try {
    const stored = await caches.match('/share', { cacheName: CACHE })
    const form = (await stored?.formData()) ?? null
    await caches.delete(CACHE)
    return form
  } catch (error) {
    console.warn(error)
    return null
  }
}
