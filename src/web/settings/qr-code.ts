import qrcode from 'qrcode-generator'
import { html, type Html } from '../../lib/html.ts'

/** Light modules around the code, which readers need to find it. */
const MARGIN = 4

/** A text as a QR code: an inline SVG, dark on white in any colour scheme. */
export function qrCode(text: string, label: string): Html {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const size = count + 2 * MARGIN
  const modules = Array.from({ length: count * count }, (_, i) => [i % count, Math.floor(i / count)] as const)
  const dark = modules.filter(([x, y]) => code.isDark(y, x))
  const path = dark.map(([x, y]) => `M${x + MARGIN} ${y + MARGIN}h1v1h-1z`).join('')
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`
}
