// The waveform of an audio file, drawn from its samples.
import { useEffect, useRef } from 'preact/hooks'

const BARS = 64
/** Bytes: decoding takes ten times the memory. */
const MAX_SIZE = 40 * 2 ** 20

export function Waveform({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isCurrent = true
    void peaksOf(file).then((peaks) => {
      if (isCurrent && canvas.current) draw(canvas.current, peaks)
    }, console.info)
    return () => void (isCurrent = false)
  }, [file])
  return <canvas ref={canvas} class="waveform" width={BARS * 6} height={96} aria-hidden="true" />
}

async function peaksOf(file: File): Promise<number[]> {
  if (file.size > MAX_SIZE) return []
  const audio = await new OfflineAudioContext(1, 1, 44_100).decodeAudioData(await file.arrayBuffer())
  const samples = audio.getChannelData(0)
  const size = Math.max(1, Math.floor(samples.length / BARS))
  const peaks = Array.from({ length: BARS }, (_, bar) => {
    let peak = 0
    for (let index = bar * size; index < Math.min(samples.length, (bar + 1) * size); index++)
      peak = Math.max(peak, Math.abs(samples[index] ?? 0))
    return peak
  })
  const loudest = Math.max(...peaks, 0.01)
  return peaks.map((peak) => peak / loudest)
}

function draw(canvas: HTMLCanvasElement, peaks: readonly number[]): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const { width, height } = canvas
  context.clearRect(0, 0, width, height)
  context.fillStyle = getComputedStyle(canvas).color
  peaks.forEach((peak, index) => {
    const length = Math.max(3, peak * height)
    context.fillRect(index * 6 + 1, (height - length) / 2, 4, length)
  })
}
