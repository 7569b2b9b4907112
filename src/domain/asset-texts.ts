import { type Asset } from './asset.ts'

/**
 * What pages say of an asset, in the words of public-site.md §2 and §8.
 *
 * @param isPast as of a past day
 */
export function assetTexts(
  { symbol, name, invitedAs = name }: Pick<Asset, 'symbol' | 'name' | 'invitedAs'>,
  isPast = false,
) {
  return {
    submitTitle: `Submit ${invitedAs} Prediction`,
    submitHint: `Share your ${symbol} prediction with the community`,
    empty: isPast
      ? `No ${symbol} prediction had been made by then`
      : `No ${symbol} predictions yet`,
    emptyHint: isPast
      ? 'Move on to a later day.'
      : `Be the first to submit a ${invitedAs} prediction!`,
    loadingPredictions: `Loading ${symbol} predictions...`,
    loadingChart: `Loading ${symbol} chart...`,
  }
}
