/** Luck never calls anything impossible, or certain. */
export const LEAST_LUCK = 0.001
