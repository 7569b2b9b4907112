import { type Prediction } from '#domain/claim/prediction.ts'
import { showClaim, typeLabel } from '#domain/claim/text.ts'

/** Finds predictions that hold every word, whatever its case and accents. */
export function matcherOf(search: string): (prediction: Prediction) => boolean {
  const words = plain(search).split(/\s+/).filter(Boolean)
  if (words.length === 0) return () => true
  return (prediction) => {
    const text = textOf(prediction)
    return words.every((word) => text.includes(word))
  }
}

/** What can be found in a prediction; made once, for every letter typed asks all of them several times. */
const texts = new WeakMap<Prediction, string>()

function textOf(prediction: Prediction): string {
  const known = texts.get(prediction)
  if (known !== undefined) return known
  const level = showClaim(prediction.said)
  const text = plain(
    [
      prediction.expert.name,
      prediction.expert.handle ?? '',
      typeLabel(prediction.said.type),
      level,
      level.replaceAll(',', ''),
      prediction.summary,
    ].join(' '),
  )
  texts.set(prediction, text)
  return text
}

function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
