import qrcode from 'qrcode-generator'

/** Modules around the code, as its standard asks for. */
const MARGIN = 4

/** A text as a QR code: the size of its square, and the SVG path of what is dark in it. */
export function qrCode(text: string): { size: number; path: string } {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const modules = Array.from({ length: count * count }, (_, i) => [i % count, Math.floor(i / count)] as const)
  const dark = modules.filter(([x, y]) => code.isDark(y, x))
  return {
    size: count + 2 * MARGIN,
    path: dark.map(([x, y]) => `M${x + MARGIN} ${y + MARGIN}h1v1h-1z`).join(''),
  }
}
