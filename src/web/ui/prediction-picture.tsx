import { type PackedPrices } from '#contracts/page.ts'
import { type Day } from '#domain/day.ts'
import { type Prediction } from '#domain/prediction.ts'
import { type JudgeMode } from '#domain/verdict.ts'
import { useEffect, useRef, useState } from 'react'
import { unpackPrices } from '#web/api/prices.ts'
import { classNames } from './class-names.ts'
import { pictureOf } from './picture.ts'
import css from './prediction-picture.module.css'

const NARROW = { width: 358, height: 240 } as const

type Given = {
  readonly prediction: Prediction
  readonly prices: PackedPrices
  readonly mode: JudgeMode
  readonly today: Day
  /** Its size above a phone, CSS pixels; it shrinks with its place. */
  readonly wide: { readonly width: number; readonly height: number }
}

/**
 * A prediction over the price of its time. The server draws it, once for a phone and once for everything wider; the
 * browser keeps that drawing, and loads the code for it only where a page was reached without the server.
 */
export function PredictionPicture(given: Given) {
  return (
    <div className={css.picture}>
      <Drawn {...given} className={css.wide} size={given.wide} />
      <Drawn {...given} className={css.narrow} size={NARROW} />
    </div>
  )
}

function Drawn(
  given: Given & {
    readonly className: string | undefined
    readonly size: { readonly width: number; readonly height: number }
  },
) {
  const ref = useRef<HTMLDivElement>(null)
  const [markup, setMarkup] = useState(() => (import.meta.env.SSR ? draw(pictureOf, given) : ''))
  useEffect(() => {
    if (ref.current?.firstChild) return
    let gone = false
    void import('./picture.ts').then((module) => {
      if (!gone) setMarkup(draw(module.pictureOf, given))
    })
    return () => {
      gone = true
    }
  }, [given])
  return (
    <div
      ref={ref}
      className={classNames(given.className)}
      // The browser starts with nothing of its own here, and React leaves alone what the server drew.
      suppressHydrationWarning
      // oxlint-disable-next-line react/no-danger -- our own markup; every word in it is escaped by sceneToSvg
      dangerouslySetInnerHTML={{ __html: markup }}
    />
  )
}

function draw(
  picture: typeof pictureOf,
  given: Given & { readonly size: { readonly width: number; readonly height: number } },
): string {
  const { prediction, mode, today, size } = given
  return picture({ prediction, points: unpackPrices(given.prices), mode, today, size })
}
