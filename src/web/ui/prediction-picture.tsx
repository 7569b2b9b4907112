import { type PackedPrices } from '#contracts/fields.ts'
import { type Day } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { unpackPrices } from '#web/api/prices.ts'
import { predictionPicture, type PictureQuestion } from '#chart/prediction-picture.ts'
import { CSS_THEME } from '#chart/theme.ts'
import css from './prediction-picture.module.css'

/** Drawings for frames up to 480 px, up to 840 px and wider ones; the style sheet scales all but their letters. */
const SIZES = {
  narrow: { width: 330, height: 230 },
  middle: { width: 540, height: 300 },
  wide: { width: 900, height: 340 },
} as const

/** A prediction over the price of its time, its letters of the same size at every width. */
export function PredictionPicture({
  prediction,
  prices,
  mode,
  today,
  sizes = ['narrow', 'middle'],
  withFan = false,
}: {
  readonly prediction: Prediction
  /** Null draws nothing, in as much room. */
  readonly prices: PackedPrices | null
  readonly mode: JudgeMode
  readonly today: Day
  /** The narrowest first; the last one fills all wider frames. */
  readonly sizes?: readonly (keyof typeof SIZES)[]
  /** Whether to draw where luck expected the price. */
  readonly withFan?: boolean
}) {
  const points = prices && unpackPrices(prices)
  return (
    <div className={css.picture}>
      {sizes.map((name) => {
        const size = SIZES[name]
        // Markup of our own: every word in it is escaped by sceneToSvg.
        const __html = points
          ? pictureOf({ prediction, points, mode, today, withFan, size })
          : `<svg viewBox="0 0 ${String(size.width)} ${String(size.height)}"></svg>`
        return <div key={name} className={css[name]} dangerouslySetInnerHTML={{ __html }} />
      })}
    </div>
  )
}

/** One prediction over the price of its time, as SVG markup for a page. */
export function pictureOf(question: PictureQuestion): string {
  return predictionPicture(question, { theme: CSS_THEME, font: 'inherit' })
}
