import { BROKEN, cursor, ImageFault, joined, letters, type ReadImage } from './cursor.ts'

export const PNG_SIGNATURE: readonly number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** The picture, its colours, its transparency and its movement; all else is metadata. */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD pHYs acTL fcTL fdAT'.split(' '),
)

/** Reads a PNG to its end, with the checksum of every part; texts, times and EXIF are dropped. */
export function readPng(file: Uint8Array): ReadImage {
  const from = cursor(file)
  const parts: Uint8Array[] = [from.take(8)]
  let size: { width: number; height: number } | null = null
  let isMoving = false
  let hasData = false
  for (;;) {
    const start = from.at()
    const length = from.u32()
    const name = letters(from.take(4))
    const body = from.take(length)
    const sum = from.u32()
    const whole = file.subarray(start, from.at())
    if (checksum(whole.subarray(4, 8 + length)) !== sum) throw new ImageFault(BROKEN)
    if (name === 'IHDR') {
      const header = cursor(body)
      size = { width: header.u32(), height: header.u32() }
    }
    // The header comes first, so that nothing is believed of a file without one.
    if (!size) throw new ImageFault(BROKEN)
    hasData ||= name === 'IDAT'
    isMoving ||= name === 'acTL'
    if (KEPT.has(name)) parts.push(whole)
    if (name === 'IEND') break
  }
  if (!hasData) throw new ImageFault(BROKEN)
  return { bytes: joined(parts), ...size, isMoving }
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 as PNG uses it. */
export function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}
