import { IMAGE_FAULTS, IMAGE_TYPES, sizeFault } from '#domain/publishing/social-post.ts'

/** What is uploaded, and how large the composer shows it (administrator-tools.md §5). */
const PICTURE_SIZE = { width: 1_200, height: 675 } as const
export const PREVIEW_SIZE = { width: 400, height: 225 } as const
export const ASPECT = PICTURE_SIZE.width / PICTURE_SIZE.height

/** A piece of a picture, in its pixels. */
export type Cut = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Size = { readonly width: number; readonly height: number }

/** The largest piece of 16:9 in the middle. */
export function centreCut({ width, height }: Size): Cut {
  const cut =
    width / height > ASPECT ? { width: height * ASPECT, height } : { width, height: width / ASPECT }
  return { ...cut, x: (width - cut.width) / 2, y: (height - cut.height) / 2 }
}

/** Whether a piece has fewer pixels than are uploaded, and so looks soft. */
export function isSoft({ width }: Pick<Cut, 'width'>): boolean {
  return Math.round(width) < PICTURE_SIZE.width
}

/** A picture as it was given, before it is cropped, and an object URL for showing it, to be revoked by the owner. */
export type Source = { readonly file: Blob; readonly address: string }

/** More than any camera writes; the file is only read here, and what is uploaded is small. */
const MOST_FILE_BYTES = 60 * 1024 * 1024
const JPEG_QUALITY = 0.9

/**
 * Reads a file as a picture by what is in it, whatever it is called.
 *
 * @returns a sentence for people where it is not taken
 */
export async function readSource(file: Blob): Promise<Source | string> {
  if (file.size > MOST_FILE_BYTES)
    return 'The file is larger than 60 MB. Please choose a smaller picture.'
  if (file.size === 0) return IMAGE_FAULTS.empty
  try {
    // Browsers show as much as they have of a picture that is cut off, but make no bitmap of it.
    const bitmap = await createImageBitmap(file)
    const fault = sizeFault(bitmap.width, bitmap.height)
    bitmap.close()
    return fault ?? { file, address: URL.createObjectURL(file) }
  } catch {
    const isPicture = IMAGE_TYPES.some((type) => type === file.type)
    return isPicture ? IMAGE_FAULTS.damaged : IMAGE_FAULTS.foreign
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
