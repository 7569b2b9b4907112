import {
  BROKEN,
  cursor,
  ImageFault,
  joined,
  letters,
  type Cursor,
  type ReadImage,
} from './cursor.ts'

export const PNG_SIGNATURE: readonly number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** The picture, its colours, its transparency and its movement; all else is metadata. */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD pHYs acTL fcTL fdAT'.split(' '),
)

/** Channels and depths in bits by the kind of colour. */
const KINDS: Readonly<
  Record<number, { readonly channels: number; readonly depths: readonly number[] }>
> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
}
/** Where the seven passes of Adam7 begin, and how far apart their pixels stand: x, y, across, down. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

type Header = {
  readonly width: number
  readonly height: number
  readonly unpackedBytes: number
}

/** Reads a PNG to its end, with the checksum of every part; texts, times and EXIF are dropped. */
export function readPng(file: Uint8Array): ReadImage {
  const from = cursor(file)
  const parts: Uint8Array[] = [from.take(8)]
  const pixels: Uint8Array[] = []
  let header: Header | null = null
  let isMoving = false
  for (;;) {
    const start = from.at()
    const length = from.u32()
    const name = letters(from.take(4))
    const body = from.take(length)
    const sum = from.u32()
    const whole = file.subarray(start, from.at())
    if (checksum(whole.subarray(4, 8 + length)) !== sum) throw new ImageFault(BROKEN)
    if (name === 'IHDR') header = readHeader(cursor(body))
    // The header comes first, so that nothing is believed of a file without one.
    if (!header) throw new ImageFault(BROKEN)
    if (name === 'IDAT') pixels.push(body)
    isMoving ||= name === 'acTL'
    if (KEPT.has(name)) parts.push(whole)
    if (name === 'IEND') break
  }
  if (!header || pixels.length === 0) throw new ImageFault(BROKEN)
  const { width, height, unpackedBytes } = header
  const packed = { parts: pixels, unpackedBytes }
  return { bytes: joined(parts), width, height, isMoving, packed }
}

function readHeader(from: Cursor): Header {
  const [width, height, depth, colours] = [from.u32(), from.u32(), from.u8(), from.u8()]
  from.take(2)
  const isInterlaced = from.u8() === 1
  const kind = KINDS[colours]
  if (!kind?.depths.includes(depth)) throw new ImageFault(BROKEN)
  const bits = kind.channels * depth
  const passes = isInterlaced ? PASSES : ([[0, 0, 1, 1]] as const)
  const unpackedBytes = passes
    .map(([x, y, across, down]) => {
      const columns = Math.ceil((width - x) / across)
      const rows = Math.ceil((height - y) / down)
      // Each row begins with the number of its filter.
      return columns > 0 && rows > 0 ? rows * (1 + Math.ceil((columns * bits) / 8)) : 0
    })
    .reduce((sum, bytes) => sum + bytes, 0)
  return { width, height, unpackedBytes }
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
