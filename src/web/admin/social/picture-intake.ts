import {
  IMAGE_FAULTS,
  IMAGE_TYPES,
  sizeFault,
  type ImageType,
} from '#domain/publishing/image-file.ts'
import { centreCut, PICTURE_SIZE, type Cut } from './crop.ts'

/** A picture as it was given, before it is cropped. */
export type Source = {
  readonly file: Blob
  /** An object URL for showing it, to be revoked by the owner. */
  readonly address: string
  /** As it is seen. */
  readonly width: number
  readonly height: number
}

/** More than any camera writes; the file is only read here, and what is uploaded is small. */
const MOST_FILE_BYTES = 60 * 1024 * 1024
const JPEG_QUALITY = 0.9

/** How the files begin that the site takes. */
const BEGINNINGS: Readonly<Record<ImageType, RegExp>> = {
  'image/jpeg': /^\u00ff\u00d8\u00ff/,
  'image/png': /^\u0089PNG\r\n/,
  'image/webp': /^RIFF.{4}WEBP/s,
  'image/gif': /^GIF8[79]a/,
}

/**
 * Reads a file as a picture by what is in it, whatever it is called.
 *
 * @returns a sentence for people where it is not taken
 */
export async function readSource(file: Blob): Promise<Source | string> {
  if (file.size > MOST_FILE_BYTES)
    return 'The file is larger than 60 MB. Please choose a smaller picture.'
  const bytes = await file.arrayBuffer().catch(() => null)
  if (!bytes) return 'The file could not be read. Please choose it again.'
  if (bytes.byteLength === 0) return IMAGE_FAULTS.empty
  const beginning = String.fromCharCode(...new Uint8Array(bytes.slice(0, 12)))
  const type = IMAGE_TYPES.find((one) => BEGINNINGS[one].test(beginning))
  if (!type) return IMAGE_FAULTS.foreign
  const picture = new Blob([bytes], { type })
  const address = URL.createObjectURL(picture)
  const shown = new Image()
  shown.src = address
  const isShown = await shown.decode().then(
    () => true,
    () => false,
  )
  const { naturalWidth: width, naturalHeight: height } = shown
  const fault = isShown
    ? (sizeFault(width, height) ?? (await damage(picture)))
    : IMAGE_FAULTS.damaged
  if (fault === null) return { file: picture, address, width, height }
  URL.revokeObjectURL(address)
  return fault
}

/** Browsers show as much as they have of a picture that is cut off, but make no bitmap of it. */
async function damage(picture: Blob): Promise<string | null> {
  try {
    const bitmap = await createImageBitmap(picture)
    bitmap.close()
    return null
  } catch {
    return IMAGE_FAULTS.damaged
  }
}

/**
 * Cuts a piece out of a picture and draws it at 1200×675, which removes all that a camera stored in the file.
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
