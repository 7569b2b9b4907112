import { BROKEN, ImageFault, type ReadImage } from './image/cursor.ts'
import { readGif } from './image/gif.ts'
import { readJpeg } from './image/jpeg.ts'
import { PNG_SIGNATURE, readPng } from './image/png.ts'
import { readWebp } from './image/webp.ts'

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** The most that X takes of a picture. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024
/** Fewer pixels than this: a small file may unpack to more than a browser can hold. */
export const IMAGE_PIXELS_BELOW = 40_000_000
export const MOST_IMAGE_SIDE = 8_192
/** The longest alternative text that X takes. */
export const MOST_ALT_TEXT = 1_000

export type ImageFile = ReadImage & { readonly type: ImageType }

/**
 * Reads an uploaded picture by what is in it, whatever it is called: JPEG, PNG, WebP or GIF, complete, and of a size that
 * networks take. The bytes it gives hold the picture alone, without what a camera or a program noted.
 *
 * @param mostBytes where it is made smaller before it is sent, it may be larger at first
 * @returns `fault`: why it is not taken, as a sentence that says what to do
 */
export function readImage(
  file: Uint8Array,
  mostBytes = MOST_IMAGE_BYTES,
): ImageFile | { readonly fault: string } {
  if (file.length === 0) return { fault: 'The file is empty. Please choose a picture.' }
  if (file.length > mostBytes) {
    const size = `${String(mostBytes / 1024 / 1024)} MB`
    const fault = `The picture is larger than ${size}. Please make it smaller, or save it as JPEG.`
    return { fault }
  }
  const type = typeOf(file)
  if (type === null) {
    return { fault: 'This is no picture the site can use. Please choose a JPEG, PNG, WebP or GIF.' }
  }
  try {
    const read = reader(type)(file)
    const { width, height } = read
    if (width < 1 || height < 1) return { fault: BROKEN }
    const isHuge = width * height >= IMAGE_PIXELS_BELOW
    if (isHuge || width > MOST_IMAGE_SIDE || height > MOST_IMAGE_SIDE) {
      const size = `${String(width)} × ${String(height)} pixels`
      return { fault: `The picture has ${size}, which is too many. Please make it smaller.` }
    }
    return { ...read, type }
  } catch (error) {
    if (error instanceof ImageFault) return { fault: error.message }
    throw error
  }
}

export function isImageFault(
  read: ReturnType<typeof readImage>,
): read is { readonly fault: string } {
  return 'fault' in read
}

function reader(type: ImageType): (file: Uint8Array) => ReadImage {
  switch (type) {
    case 'image/jpeg':
      return readJpeg
    case 'image/png':
      return readPng
    case 'image/webp':
      return readWebp
    case 'image/gif':
      return readGif
  }
}

function typeOf(file: Uint8Array): ImageType | null {
  const head = String.fromCharCode(...file.subarray(0, 12))
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (PNG_SIGNATURE.every((byte, at) => file[at] === byte)) return 'image/png'
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'image/webp'
  return head.startsWith('GIF87a') || head.startsWith('GIF89a') ? 'image/gif' : null
}
