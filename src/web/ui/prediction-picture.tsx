import { type PackedPrices } from '#contracts/packed-prices.ts'
import { type Day } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { unpackPrices } from '#web/api/prices.ts'
import { pictureOf } from './picture.ts'
import css from './prediction-picture.module.css'

const NARROW = { width: 358, height: 240 } as const

/** A prediction over the price of its time: one drawing for phones and one for everything wider. */
export function PredictionPicture({
  prediction,
  prices,
  mode,
  today,
  wide,
  withFan = false,
}: {
  readonly prediction: Prediction
  readonly prices: PackedPrices
  readonly mode: JudgeMode
  readonly today: Day
  /** Its size above a phone, CSS pixels; it shrinks where there is less room. */
  readonly wide: { readonly width: number; readonly height: number }
  /** Whether to draw where luck expected the price. */
  readonly withFan?: boolean
}) {
  const points = unpackPrices(prices)
  const drawing = { prediction, points, mode, today, withFan }
  return (
    <div className={css.picture}>
      <Svg className={css.wide} markup={pictureOf({ ...drawing, size: wide })} />
      <Svg className={css.narrow} markup={pictureOf({ ...drawing, size: NARROW })} />
    </div>
  )
}

/** Markup of our own: every word in it is escaped by sceneToSvg. */
function Svg({ className, markup }: { className: string | undefined; markup: string }) {
  return <div className={className} dangerouslySetInnerHTML={{ __html: markup }} />
}
