import { predictionPicture, type PictureQuestion } from '#chart/prediction-picture.ts'
import { CSS_THEME } from '#chart/theme.ts'
import { type PackedPrices } from '#contracts/fields.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { unpackPrices } from '#web/api/prices.ts'
import css from './prediction-picture.module.css'

/** Drawings for frames up to 480 px, up to 840 px, and wider; style sheets scale everything but text. */
const SIZES = {
  narrow: { width: 330, height: 230 },
  middle: { width: 540, height: 300 },
  wide: { width: 900, height: 340 },
} as const

/** A prediction over the prices of its time, with text of constant size. */
export function PredictionPicture({
  prediction,
  prices,
  today,
  sizes = ['narrow', 'middle'],
  withFan = false,
}: {
  readonly prediction: Prediction
  /** Null reserves the space without a drawing. */
  readonly prices: PackedPrices | null
  readonly today: Day
  /** Narrowest first; the last one is used for all wider frames. */
  readonly sizes?: readonly (keyof typeof SIZES)[]
  /** Whether to draw the price expected by luck. */
  readonly withFan?: boolean
}) {
  const points = prices && unpackPrices(prices)
  return (
    <div className={css.picture}>
      {sizes.map((name) => {
        const size = SIZES[name]
        // Our own markup; sceneToSvg escapes all text.
        const __html = points
          ? pictureOf({ prediction, points, today, withFan, size })
          : `<svg viewBox="0 0 ${String(size.width)} ${String(size.height)}"></svg>`
        return <div key={name} className={css[name]} dangerouslySetInnerHTML={{ __html }} />
      })}
    </div>
  )
}

/** SVG markup of a prediction over the prices of its time. */
export function pictureOf(question: PictureQuestion): string {
  return predictionPicture(question, { theme: CSS_THEME, font: 'inherit' })
}
