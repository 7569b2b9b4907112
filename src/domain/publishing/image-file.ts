/** Types of uploaded pictures. A GIF is stored only if animated; others become PNG. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** The largest picture that X accepts. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024
/** The largest picture that Bluesky accepts; larger ones are made smaller for it. */
export const MOST_BLUESKY_IMAGE_BYTES = 1_000_000
/** A picture must have fewer pixels: a small file may unpack to more than a browser can hold. */
const IMAGE_PIXELS_BELOW = 40_000_000
const MOST_IMAGE_SIDE = 8_192
/** The longest alternative text that X accepts, characters. */
export const MOST_ALT_TEXT = 1_000

/** Why a picture is refused, as sentences that say what to do. */
export const IMAGE_FAULTS = {
  empty: 'The file is empty. Please choose a picture.',
  foreign: 'The site cannot use this file. Please choose a JPEG, PNG, WebP or GIF picture.',
  damaged:
    'The picture is incomplete or damaged. Please upload it again, or save it again with another program.',
  slow: 'The picture takes too long to read. Please make it smaller, or save it as JPEG.',
} as const

/** @returns why a picture of this size in pixels is refused; null when it is fine */
export function sizeFault(width: number, height: number): string | null {
  const isHuge = width * height >= IMAGE_PIXELS_BELOW
  if (!isHuge && width <= MOST_IMAGE_SIDE && height <= MOST_IMAGE_SIDE) return null
  return `The picture has ${String(width)} × ${String(height)} pixels, which is too many. Please make it smaller.`
}

/** @param how what makes it so large, where that is not the file as it came */
export function tooLargeFault(how = ''): string {
  const size = `${String(MOST_IMAGE_BYTES / 1024 / 1024)} MB`
  return `The picture is larger than ${size}${how}. Please make it smaller, or save it as JPEG.`
}
