import { BROKEN, cursor, CUT_OFF, ImageFault, joined, letters, type ReadImage } from './cursor.ts'

const KEPT = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L'])
/** Of the flags of VP8X: EXIF and XMP follow. */
const METADATA_FLAGS = 0x0c

/** Reads a WebP to its end; EXIF and XMP are dropped. */
export function readWebp(file: Uint8Array): ReadImage {
  const outer = cursor(file, true)
  outer.take(4)
  const length = outer.u32()
  if (length > outer.left()) throw new ImageFault(CUT_OFF)
  if (length < 4) throw new ImageFault(BROKEN)
  const from = cursor(outer.take(length), true)
  from.take(4)
  const parts: Uint8Array[] = []
  let size: { width: number; height: number } | null = null
  let isMoving = false
  let hasPicture = false
  while (from.left() > 0) {
    const name = letters(from.take(4))
    const bytes = from.u32()
    const body = from.take(bytes)
    if (bytes % 2 === 1 && from.left() > 0) from.take(1)
    if (!KEPT.has(name)) continue
    if (name === 'VP8X') {
      if (body.length < 10) throw new ImageFault(BROKEN)
      size = { width: u24(body, 4) + 1, height: u24(body, 7) + 1 }
      parts.push(
        chunk(
          name,
          Uint8Array.from(body, (one, i) => (i === 0 ? one & ~METADATA_FLAGS : one)),
        ),
      )
      continue
    }
    if (name === 'VP8 ') size ??= lossySize(body)
    if (name === 'VP8L') size ??= losslessSize(body)
    hasPicture ||= name.startsWith('VP8') || name === 'ANMF'
    isMoving ||= name === 'ANMF'
    parts.push(chunk(name, body))
  }
  if (!size || !hasPicture) throw new ImageFault(BROKEN)
  const whole = joined(parts)
  return {
    bytes: joined([ascii('RIFF'), u32(whole.length + 4), ascii('WEBP'), whole]),
    ...size,
    isMoving,
    packed: null,
  }
}

function lossySize(body: Uint8Array): { width: number; height: number } {
  const from = cursor(body, true)
  from.take(3)
  if (letters(from.take(3)) !== '\x9d\x01\x2a') throw new ImageFault(BROKEN)
  const width = from.u16() & 0x3fff
  return { width, height: from.u16() & 0x3fff }
}

function losslessSize(body: Uint8Array): { width: number; height: number } {
  const from = cursor(body, true)
  if (from.u8() !== 0x2f) throw new ImageFault(BROKEN)
  const bits = from.u32()
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function chunk(name: string, body: Uint8Array): Uint8Array {
  const pad = new Uint8Array(body.length % 2)
  return joined([ascii(name), u32(body.length), body, pad])
}

function u24(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16)
}

function u32(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24)
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (one) => one.charCodeAt(0))
}
