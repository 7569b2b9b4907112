/** What is uploaded, and how large the composer shows it (administrator-tools.md §5). */
export const PICTURE_SIZE = { width: 1_200, height: 675 } as const
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
