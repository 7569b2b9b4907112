/** Better or worse than luck; `unclear` where luck alone may have done it. In this order on the board. */
export const BANDS = ['above', 'unclear', 'below'] as const
export type Band = (typeof BANDS)[number]
