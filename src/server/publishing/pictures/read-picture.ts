import sharp, { type Metadata, type Sharp } from 'sharp'
import {
  IMAGE_FAULTS,
  MOST_IMAGE_BYTES,
  sizeFault,
  tooLargeFault,
  type ImageType,
} from '#domain/publishing/social-post.ts'
import { type ReadPicture } from '#server/publishing/ports.ts'

/** Limit for all frames of an animation, as a file of 5 MB can unpack to any size. */
const MOST_PIXELS = 200_000_000
const JPEG_QUALITY = 92
const WEBP_QUALITY = 92

sharp.cache(false)
sharp.concurrency(1)
// Restricts libvips to the four formats from memory.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`),
})

/**
 * Decodes a picture by its content, whatever its name, and encodes it again: without metadata and trailing data, and
 * rotated as the camera was held. Refuses damaged files. Runs in a separate process (`sharp-worker.ts`), as libvips
 * retains hundreds of megabytes.
 * @param file not empty, at most `MOST_IMAGE_BYTES`
 */
export const readPicture: ReadPicture = async (file) => {
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
    const { data, info } = await written.autoOrient().toBuffer({ resolveWithObject: true })
    if (data.length > MOST_IMAGE_BYTES) return { fault: tooLargeFault(' without its metadata') }
    return { bytes: data, type, width: info.width, height: info.pageHeight ?? info.height }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

/** JPEG qualities to try in order, and the factor of width if none suffices. */
const SMALLER_QUALITIES = [90, 80, 70]
const NARROWER = 0.75
const LEAST_SIDE = 64

/** Converts a stored picture to JPEG of at most this size. Transparent areas become white. */
export async function shrinkPicture(file: Uint8Array, mostBytes: number): ReturnType<ReadPicture> {
  const { width } = await sharp(file).metadata()
  for (let wide = width; wide >= LEAST_SIDE; wide = Math.floor(wide * NARROWER)) {
    for (const quality of SMALLER_QUALITIES) {
      const { data, info } = await sharp(file)
        .flatten({ background: '#fff' })
        .resize({ width: wide, withoutEnlargement: true })
        .jpeg({ quality })
        .toBuffer({ resolveWithObject: true })
      if (data.length <= mostBytes) {
        return { bytes: data, type: 'image/jpeg', width: info.width, height: info.height }
      }
    }
  }
  return { fault: tooLargeFault() }
}

/** Keeps the format, except for a still GIF, which networks would treat as animated. */
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

/** libvips messages are for programmers and name the failing function. */
function faultOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (message.includes('unsupported image format')) return IMAGE_FAULTS.foreign
  if (message.includes('pixel limit')) {
    return 'This picture has too many pixels, counting every frame. Please make it smaller.'
  }
  return IMAGE_FAULTS.damaged
}
