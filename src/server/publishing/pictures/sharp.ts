import {
  IMAGE_FAULTS,
  MOST_IMAGE_BYTES,
  sizeFault,
  type ImageType,
} from '#domain/publishing/image-file.ts'
import { type ReadPicture } from '#server/publishing/ports.ts'
import { type Metadata, type Sharp, type SharpOptions } from 'sharp'

/** All pictures of a moving one together; a file of 5 MB can unpack to any number. */
const MOST_PIXELS = 200_000_000
const WITHIN_SECONDS = 20
const JPEG_QUALITY = 92
const WEBP_QUALITY = 92

/**
 * Reads uploaded pictures by what is in them, whatever they are called, and writes them once more: without what a camera or
 * a program noted, turned the way they were held, and with nothing behind their end. What is damaged is refused.
 */
export const readPicture: ReadPicture = async (file) => {
  if (file.length === 0) return { fault: IMAGE_FAULTS.empty }
  if (file.length > MOST_IMAGE_BYTES) return { fault: tooLarge('') }
  const sharp = await loadSharp()
  const image = sharp(file, {
    animated: true,
    failOn: 'warning',
    limitInputPixels: MOST_PIXELS,
    sequentialRead: true,
  })
  try {
    const found = await image.metadata()
    const { width, pageHeight = found.height } = found
    const fault = sizeFault(width, pageHeight)
    if (fault !== null) return { fault }
    const { type, written } = rewritten(image, found, file)
    const { data, info } = await written
      .autoOrient()
      .timeout({ seconds: WITHIN_SECONDS })
      .toBuffer({ resolveWithObject: true })
    if (data.length > MOST_IMAGE_BYTES) return { fault: tooLarge(' without its metadata') }
    return { bytes: data, type, width: info.width, height: info.pageHeight ?? info.height }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

/** The picture in its own format, but a GIF that does not move: networks take that as a film. */
function rewritten(
  image: Sharp,
  { format, pages = 1 }: Metadata,
  file: Uint8Array,
): { readonly type: ImageType; readonly written: Sharp } {
  if (format === 'jpeg')
    return { type: 'image/jpeg', written: image.jpeg({ quality: JPEG_QUALITY }) }
  if (format === 'webp') {
    const lossless = Buffer.from(file.buffer, file.byteOffset, file.length).includes('VP8L')
    return { type: 'image/webp', written: image.webp({ quality: WEBP_QUALITY, lossless }) }
  }
  if (format === 'gif' && pages > 1) {
    return { type: 'image/gif', written: image.gif({ keepDuplicateFrames: true }) }
  }
  return { type: 'image/png', written: image.png({ compressionLevel: 9 }) }
}

/** What libvips says is for programmers, and names the function that stumbled. */
function faultOf(error: unknown): string {
  const said = error instanceof Error ? error.message : ''
  if (said.includes('unsupported image format')) return IMAGE_FAULTS.foreign
  if (said.includes('pixel limit')) {
    return 'The pictures of this moving one have too many pixels together. Please make it smaller or shorter.'
  }
  if (said.startsWith('timeout')) {
    return 'The picture takes too long to read. Please make it smaller, or save it as JPEG.'
  }
  return IMAGE_FAULTS.damaged
}

function tooLarge(how: string): string {
  const size = `${String(MOST_IMAGE_BYTES / 1024 / 1024)} MB`
  return `The picture is larger than ${size}${how}. Please make it smaller, or save it as JPEG.`
}

let loading: Promise<(file: Uint8Array, options: SharpOptions) => Sharp> | null = null

/** With the first picture, as libvips takes some memory. It may read the four formats from memory, and nothing else. */
function loadSharp(): NonNullable<typeof loading> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`),
    })
    return sharp
  })
  return loading
}
