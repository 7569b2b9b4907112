/** What an uploaded picture may be. A GIF that the site keeps is one that moves: others become PNG. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** The most that X takes of a picture. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024
/** Fewer pixels than this: a small file may unpack to more than a browser can hold. */
const IMAGE_PIXELS_BELOW = 40_000_000
const MOST_IMAGE_SIDE = 8_192
/** The longest alternative text that X takes. */
export const MOST_ALT_TEXT = 1_000

/** Why a picture is not taken, as sentences that say what to do. */
export const IMAGE_FAULTS = {
  empty: 'The file is empty. Please choose a picture.',
  foreign: 'This is no picture the site can use. Please choose a JPEG, PNG, WebP or GIF.',
  damaged:
    'The picture is incomplete or damaged. Please upload it again, or save it once more with another program.',
} as const

/** @returns why a picture of this size in pixels is not taken; null where it is */
export function sizeFault(width: number, height: number): string | null {
  const isHuge = width * height >= IMAGE_PIXELS_BELOW
  if (!isHuge && width <= MOST_IMAGE_SIDE && height <= MOST_IMAGE_SIDE) return null
  return `The picture has ${String(width)} × ${String(height)} pixels, which is too many. Please make it smaller.`
}
