import { useDeferredValue, useMemo } from 'react'
import { showDay, readDay, type Day } from '#domain/day.ts'
import { headline, madeText } from '#domain/claim/prediction-text.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { predictionPath } from '#web/address/addresses.ts'
import { pictureOf } from '#web/ui/picture.ts'
import { AlreadySubmitted } from './already-submitted.tsx'
import css from './submission-preview.module.css'
import { type Preview } from './use-preview.ts'
import { Panel } from '#web/ui/stack.tsx'
import { Callout } from '#web/ui/text.tsx'

const SIZE = { width: 400, height: 240 } as const
/** The least of the past that is shown, days. */
const BEFORE = 365

/** What the form would become: drawn over the price, in words, with the rule that will judge it. */
export function SubmissionPreview({
  preview,
  today,
}: {
  readonly preview: Preview | null
  readonly today: Day
}) {
  return (
    <Panel as="section" size="small" aria-label="Preview">
      {preview ? (
        <>
          <p className={css.headline}>{headline(preview.prediction)}</p>
          <Picture preview={preview} today={today} />
          <p>{preview.rule}</p>
          {preview.prediction.made < today && <p>{madeText(preview.prediction)}.</p>}
          <div role="status">
            {preview.prediction.verdicts.touch.outcome !== 'pending' && (
              <Callout tone="wait" gap={1} strong className={css.warning}>
                {verdictSentence(preview.prediction, 'touch')}
              </Callout>
            )}
            <Duplicates preview={preview} />
            <AlreadySubmitted waiting={preview.waiting} />
          </div>
        </>
      ) : (
        <p className={css.empty}>
          Here you will see the prediction over the price, and the rule that will judge it.
        </p>
      )}
    </Panel>
  )
}

/** Says before the payment that the same is on record already. */
export function Duplicates({ preview: { duplicates } }: { readonly preview: Preview }) {
  if (duplicates.length === 0) return null
  return (
    <Callout as="div" tone="wait" gap={1} strong className={css.warning}>
      <p>Already on record:</p>
      <ul>
        {duplicates.map((one) => {
          const by = readDay(one.target_time)
          return (
            <li key={one.id}>
              <a href={predictionPath(one)} target="_blank" rel="noreferrer">
                {one.expert_name}: {one.price_prediction}
                {by !== null && ` by ${showDay(by)}`}
              </a>
            </li>
          )
        })}
      </ul>
    </Callout>
  )
}

function Picture({ preview, today }: { readonly preview: Preview; readonly today: Day }) {
  const { prediction, prices } = useDeferredValue(preview)
  const markup = useMemo(() => {
    if (!prices || prices.days.length === 0) return null
    const { made, by } = prediction
    const from = Math.min(today - BEFORE, today - (by - today), made - (by - made) / 4)
    const first = Math.max(
      0,
      prices.days.findIndex((day) => day >= from),
    )
    const points = { days: prices.days.slice(first), closes: prices.closes.slice(first) }
    return pictureOf({ prediction, points, mode: 'touch', today, size: SIZE })
  }, [prediction, prices, today])
  // Markup of our own: every word in it is escaped by sceneToSvg.
  return markup && <div className={css.picture} dangerouslySetInnerHTML={{ __html: markup }} />
}
