// A blurred preview of an image, drawn from a short text that comes with the status.
import type { decode as Decode } from 'blurhash'
import { useEffect, useRef } from 'preact/hooks'

/** Pixels of the drawing; the stylesheet stretches it. */
const SIZE = 24

export function Blurhash({ hash }: { hash: string | null }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (hash) void import('blurhash').then(({ decode }) => canvas.current && draw(canvas.current, decode, hash))
  }, [hash])
  return <canvas ref={canvas} class="blurhash" width={SIZE} height={SIZE} aria-hidden="true" />
}

function draw(canvas: HTMLCanvasElement, decode: typeof Decode, hash: string): void {
  try {
    const pixels = new Uint8ClampedArray(decode(hash, SIZE, SIZE))
    canvas.getContext('2d')?.putImageData(new ImageData(pixels, SIZE, SIZE), 0, 0)
  } catch {
    // Other servers may send anything: a plain ground does as well.
  }
}
