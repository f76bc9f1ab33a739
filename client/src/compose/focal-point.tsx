// The point of an image that stays in view when it is shown cropped: set by pointer on the image, or with two sliders.
import { useRef } from 'preact/hooks'
import { texts } from '../texts.ts'

type Point = { x: number; y: number }
type FocalPointProps = { address: string; focus: Point; onChange: (focus: Point) => void }

const within = (value: number): number => Math.round(Math.max(-1, Math.min(1, value)) * 100) / 100

export function FocalPoint({ address, focus, onChange }: FocalPointProps) {
  const t = texts.compose
  const frame = useRef<HTMLDivElement>(null)
  const set = ({ clientX, clientY }: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect()
    if (!box) return
    onChange({
      x: within(((clientX - box.left) / box.width) * 2 - 1),
      y: within(1 - ((clientY - box.top) / box.height) * 2),
    })
  }
  return (
    <fieldset class="focal-point">
      <legend>{t.focal_point}</legend>
      <div
        ref={frame}
        class="focal-frame"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          set(event)
        }}
        onPointerMove={(event) => event.buttons > 0 && set(event)}
      >
        <img src={address} alt="" draggable={false} />
        <span class="focal-mark" style={{ left: `${(focus.x + 1) * 50}%`, top: `${(1 - focus.y) * 50}%` }} />
      </div>
      <small>{t.focal_point_hint}</small>
      <Slider label={t.horizontal} value={focus.x} onChange={(x) => onChange({ ...focus, x })} />
      <Slider label={t.vertical} value={focus.y} onChange={(y) => onChange({ ...focus, y })} />
    </fieldset>
  )
}

function Slider({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <label class="focal-slider">
      {label}
      <input
        type="range"
        min={-1}
        max={1}
        step={0.05}
        value={value}
        dir="ltr"
        onInput={({ currentTarget }) => onChange(within(currentTarget.valueAsNumber))}
      />
    </label>
  )
}
