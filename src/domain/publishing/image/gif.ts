import {
  BROKEN,
  cursor,
  ImageFault,
  joined,
  letters,
  type Cursor,
  type ReadImage,
} from './cursor.ts'

const EXTENSION = 0x21
const PICTURE = 0x2c
const END = 0x3b
const CONTROL = 0xf9
const APPLICATION = 0xff
/** Say how often it moves; all other applications leave notes. */
const KEPT_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])

/** Reads a GIF to its end; comments and notes of programs are dropped. */
export function readGif(file: Uint8Array): ReadImage {
  const from = cursor(file)
  from.take(6)
  const [low, high] = [() => from.u8(), () => from.u8() << 8]
  const width = low() | high()
  const height = low() | high()
  from.take(colours(from.u8()) + 2)
  const parts: Uint8Array[] = [file.subarray(0, from.at())]
  let pictures = 0
  for (;;) {
    const start = from.at()
    const block = from.u8()
    if (block === END) break
    if (block === EXTENSION) {
      const label = from.u8()
      const name = label === APPLICATION ? letters(file.subarray(start + 3, start + 14)) : ''
      skipBlocks(from)
      if (label === CONTROL || KEPT_APPLICATIONS.has(name))
        parts.push(file.subarray(start, from.at()))
    } else if (block === PICTURE) {
      from.take(8)
      from.take(colours(from.u8()))
      from.take(1)
      skipBlocks(from)
      parts.push(file.subarray(start, from.at()))
      pictures += 1
    } else throw new ImageFault(BROKEN)
  }
  if (pictures === 0) throw new ImageFault(BROKEN)
  parts.push(Uint8Array.of(END))
  return { bytes: joined(parts), width, height, isMoving: pictures > 1, packed: null }
}

/** The bytes of the table of colours that the flags announce. */
function colours(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0
}

function skipBlocks(from: Cursor): void {
  for (let length = from.u8(); length > 0; length = from.u8()) from.take(length)
}
