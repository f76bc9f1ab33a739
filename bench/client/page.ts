// What runs inside the page: it uses nothing from outside itself.

/** `window.bench`, which every measured page has from its start. */
type PageBench = {
  /** The time of the frame that shows the first element of this selector. */
  painted(selector: string): Promise<number>
}
declare global {
  interface Window {
    bench: PageBench
  }
}

/** Runs before the scripts of the page. */
export function installBench(): void {
  window.bench = {
    painted: (selector) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!document.querySelector(selector)) return
          observer.disconnect()
          // A task that begins in the frame's callback runs once the frame was drawn.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
        }
        const observer = new MutationObserver(look)
        observer.observe(document, { childList: true, subtree: true })
        look()
      }),
  }
}

export type Loaded = { at: number; js: number; css: number; requests: number }

/** Milliseconds from the navigation to the first status, and the compressed bytes that were loaded until then. */
export async function paintedTimeline(selector: string): Promise<Loaded> {
  const at = await window.bench.painted(selector)
  const loaded = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
    ({ responseEnd }) => responseEnd > 0 && responseEnd <= at,
  )
  const bytes = (suffix: string): number =>
    loaded
      .filter(({ name }) => new URL(name).pathname.endsWith(suffix))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  return { at, js: bytes('.js') / 1000, css: bytes('.css') / 1000, requests: loaded.length }
}

/** Milliseconds from the next click to the frame that shows the first element of this selector. */
export function paintedAfterClick(selector: string): Promise<number> {
  return new Promise((resolve) => {
    const clicked = (event: Event): void => {
      void window.bench.painted(selector).then((at) => resolve(at - event.timeStamp))
    }
    addEventListener('click', clicked, { capture: true, once: true })
  })
}

export type Scrolled = { frames: number[]; statuses: number }

/** Scrolls down by `step` pixels in each frame, to the end or until `statuses` were shown. Returns the milliseconds of the frames that moved. */
export function scrollThrough({ step, statuses }: { step: number; statuses: number | null }): Promise<Scrolled> {
  const frames: number[] = []
  const shown = (): number => {
    const last = [...document.querySelectorAll<HTMLElement>('[data-index]')].at(-1)
    return Number(last?.dataset.index ?? -1) + 1
  }
  return new Promise((resolve) => {
    let before = { time: 0, top: -1, movedAt: performance.now() }
    const frame = (time: number): void => {
      const top = scrollY
      const hasMoved = top !== before.top
      if (hasMoved && before.time > 0) frames.push(time - before.time)
      const movedAt = hasMoved ? time : before.movedAt
      if ((statuses !== null && frames.length % 30 === 0 && shown() >= statuses) || time - movedAt > 5000)
        return resolve({ frames, statuses: shown() })
      before = { time, top, movedAt }
      scrollBy(0, step)
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
}
