/** The size of a shared picture of a prediction, pixels: 16:9, as networks show it. */
export const SHARE_SIZE = { width: 1_200, height: 675 } as const

/** The size of a picture of people, pixels: as networks show the preview of a link. */
export const PEOPLE_SIZE = { width: 1_200, height: 630 } as const
