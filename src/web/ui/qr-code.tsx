import { encode } from 'uqr'
import css from './qr-code.module.css'

/** Cells kept free around a code, without which cameras do not find it. */
const QUIET = 4

/** A text as a QR code: dark on white in every theme, as cameras expect it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'L', boostEcc: true, border: 0 })
  const edge = String(size + 2 * QUIET)
  return (
    <svg
      className={css.code}
      viewBox={`0 0 ${edge} ${edge}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={edge} height={edge} fill="#fff" />
      <path d={pathOf(data)} fill="#000" />
    </svg>
  )
}

/** Each run of dark cells in a row as one bar. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  const bars: string[] = []
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue
      const from = x
      while (row[x + 1]) x += 1
      bars.push(
        `M${String(from + QUIET)} ${String(y + QUIET)}h${String(x - from + 1)}v1H${String(from + QUIET)}z`,
      )
    }
  }
  return bars.join('')
}
