/** A file that cannot be taken; the message is a sentence for people. */
export class ImageFault extends Error {
  override readonly name = 'ImageFault'
}

export const CUT_OFF =
  'The picture is incomplete: its file ends too early. Please upload it again, or save it anew.'
export const BROKEN = 'The picture is damaged. Please save it anew, or take another one.'

/** Reads through bytes; whoever asks for more than there are hears that the file is cut off. */
export type Cursor = {
  readonly at: () => number
  readonly left: () => number
  /** The next bytes, which stay a view of the file. */
  readonly take: (count: number) => Uint8Array
  readonly u8: () => number
  readonly u16: () => number
  readonly u32: () => number
}

/** @param isLittle whether numbers begin with their lowest byte */
export function cursor(bytes: Uint8Array, isLittle = false): Cursor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const forward = (count: number): number => {
    if (count < 0 || at + count > bytes.length) throw new ImageFault(CUT_OFF)
    at += count
    return at - count
  }
  return {
    at: () => at,
    left: () => bytes.length - at,
    take: (count) => {
      const from = forward(count)
      return bytes.subarray(from, from + count)
    },
    u8: () => view.getUint8(forward(1)),
    u16: () => view.getUint16(forward(2), isLittle),
    u32: () => view.getUint32(forward(4), isLittle),
  }
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The bytes as Latin letters. */
export function letters(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

/** What a format's reader gives: the file without metadata, and its size in pixels. */
export type ReadImage = {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  /** Has more than one picture in it. */
  readonly isMoving: boolean
  /** Its pixels as zlib packs them, for whoever can unpack; null in the formats that pack in ways of their own. */
  readonly packed: PackedPixels | null
}

export type PackedPixels = {
  readonly parts: readonly Uint8Array[]
  /** How many they are, in bytes, when they are all there. */
  readonly unpackedBytes: number
}
