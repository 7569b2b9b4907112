import { BROKEN, cursor, CUT_OFF, ImageFault, joined, letters, type ReadImage } from './cursor.ts'

const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee
const APP15 = 0xef
const COMMENT = 0xfe
const START_OF_SCAN = 0xda
const END = 0xd9

/**
 * Reads a JPEG to its end. Kept are the picture, its colours (ICC, Adobe) and, where it was not taken upright, which side
 * is up; whatever else a camera or an editor noted is dropped, with everything behind the picture.
 */
export function readJpeg(file: Uint8Array): ReadImage {
  const from = cursor(file)
  const parts: Uint8Array[] = [from.take(2)]
  let size: { width: number; height: number } | null = null
  let turn = 1
  let hasScan = false
  for (;;) {
    if (from.u8() !== 0xff) throw new ImageFault(BROKEN)
    let marker = from.u8()
    while (marker === 0xff) marker = from.u8()
    if (marker === END) break
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) continue
    const start = from.at()
    const length = from.u16()
    if (length < 2) throw new ImageFault(BROKEN)
    const body = from.take(length - 2)
    const whole = segment(marker, body)
    if (marker === APP0) {
      // Without its small picture, which may show what was cropped.
      if (letters(body.subarray(0, 5)) === 'JFIF\0' && body.length >= 14) {
        parts.push(segment(APP0, Uint8Array.from([...body.subarray(0, 12), 0, 0])))
      }
    } else if (marker === APP1) turn = orientation(body) ?? turn
    else if (marker === APP2) {
      if (letters(body.subarray(0, 12)) === 'ICC_PROFILE\0') parts.push(whole)
    } else if (marker === APP14) {
      if (letters(body.subarray(0, 5)) === 'Adobe') parts.push(whole)
    } else if ((marker < APP0 || marker > APP15) && marker !== COMMENT) parts.push(whole)
    if (isFrame(marker)) {
      const frame = cursor(body)
      frame.take(1)
      const height = frame.u16()
      size = { width: frame.u16(), height }
    }
    if (marker === START_OF_SCAN) {
      hasScan = true
      const end = scanEnd(file, start + length)
      parts.push(from.take(end - start - length))
    }
  }
  if (!size || !hasScan) throw new ImageFault(BROKEN)
  if (turn !== 1) parts.splice(1, 0, upright(turn))
  parts.push(Uint8Array.of(0xff, END))
  return { bytes: joined(parts), ...size, isMoving: false, packed: null }
}

/** Where the coded picture ends: at the next marker that is no part of it. */
function scanEnd(file: Uint8Array, from: number): number {
  for (let at = from; at < file.length - 1; at += 1) {
    if (file[at] !== 0xff) continue
    const next = file[at + 1] ?? 0
    if (next === 0xff) continue
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at
  }
  throw new ImageFault(CUT_OFF)
}

/** Of the frame headers, which alone tell the size; three numbers among them mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function segment(marker: number, body: Uint8Array): Uint8Array {
  const length = body.length + 2
  return joined([Uint8Array.of(0xff, marker, length >> 8, length & 0xff), body])
}

/** Which side is up, 1 to 8; null where it is not told, or not readably. */
function orientation(body: Uint8Array): number | null {
  if (letters(body.subarray(0, 6)) !== 'Exif\0\0') return null
  const tiff = body.subarray(6)
  const isLittle = letters(tiff.subarray(0, 2)) === 'II'
  try {
    const head = cursor(tiff, isLittle)
    head.take(4)
    const list = cursor(tiff.subarray(head.u32()), isLittle)
    for (let left = list.u16(); left > 0; left -= 1) {
      const tag = list.u16()
      list.take(6)
      const value = list.u16()
      list.take(2)
      if (tag === ORIENTATION) return value >= 1 && value <= 8 ? value : null
    }
  } catch (error) {
    if (!(error instanceof ImageFault)) throw error
  }
  return null
}

const ORIENTATION = 0x0112

/** The least that says which side is up, and nothing else. */
function upright(turn: number): Uint8Array {
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0]
  const header = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8]
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, turn, 0, 0]
  return segment(APP1, Uint8Array.from([...exif, ...header, 0, 1, ...entry, 0, 0, 0, 0]))
}
