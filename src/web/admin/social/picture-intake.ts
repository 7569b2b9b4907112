import { isImageFault, readImage } from '#domain/publishing/image-file.ts'
import { centreCut, PICTURE_SIZE, type Cut } from './crop.ts'

/** A picture as it was given, before it is cropped. */
export type Source = {
  readonly file: Blob
  /** For showing it; whoever holds it gives it back. */
  readonly address: string
  /** As it lies in the file: a camera may have held it upright. */
  readonly width: number
  readonly height: number
}

/** More than any camera writes; the file is only read here, and what is uploaded is small. */
const MOST_FILE_BYTES = 60 * 1024 * 1024
const JPEG_QUALITY = 0.9

/**
 * Reads a file as a picture by what is in it, whatever it is called, before the browser unpacks it.
 *
 * @returns a sentence for people where it is not taken
 */
export async function readSource(file: Blob): Promise<Source | string> {
  if (file.size > MOST_FILE_BYTES)
    return 'The file is larger than 60 MB. Please choose a smaller picture.'
  const read = await file.arrayBuffer().catch(() => null)
  if (!read) return 'The file could not be read. Please choose it again.'
  const image = readImage(new Uint8Array(read), MOST_FILE_BYTES)
  if (isImageFault(image)) return image.fault
  const { width, height, type } = image
  const blob = new Blob([read], { type })
  return { file: blob, address: URL.createObjectURL(blob), width, height }
}

/**
 * Cuts a piece out of a picture and draws it anew at 1200×675, which leaves behind all that a camera noted in the file.
 *
 * @param cut in pixels as they are seen; the middle where none was chosen
 * @throws Error where the browser cannot draw it
 */
export async function cropped({ file }: Source, cut: Cut | null): Promise<Blob> {
  // Turned the way its camera was held, as the cropper shows it.
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    const { x, y, width, height } = cut ?? centreCut(bitmap)
    const canvas = document.createElement('canvas')
    canvas.width = PICTURE_SIZE.width
    canvas.height = PICTURE_SIZE.height
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('no canvas')
    // What was transparent would turn black in a JPEG.
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(bitmap, x, y, width, height, 0, 0, canvas.width, canvas.height)
    return await new Promise((done, fail) => {
      canvas.toBlob(
        (blob) => (blob ? done(blob) : fail(new Error('no picture'))),
        'image/jpeg',
        JPEG_QUALITY,
      )
    })
  } finally {
    bitmap.close()
  }
}
