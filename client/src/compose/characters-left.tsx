import { fullNumber, texts } from '../texts.ts'

/** From here on, screen readers hear how many characters are left. */
const FEW = 20

export function CharactersLeft({ left }: { left: number }) {
  const t = texts.compose
  return (
    <span class="count-left" data-over={left < 0}>
      <span aria-hidden="true">{fullNumber(left)}</span>
      <span class="visually-hidden" role="status">
        {left < 0 ? t.too_long({ count: -left }) : left <= FEW ? t.left({ count: left }) : ''}
      </span>
    </span>
  )
}
