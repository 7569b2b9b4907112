import { useEffect, useMemo, useState } from 'react'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { ASSETS } from '#domain/asset.ts'
import { labelOf } from '#domain/claim/text.ts'
import { type Day } from '#domain/day.ts'
import { Button } from '#web/ui/button.tsx'
import { showDate } from '#web/ui/show-date.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Tag } from '#web/ui/tag.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import css from './columns.module.css'
import { cardsOf } from './decision.ts'
import { DecisionForm } from './decision-form.tsx'

/** A submission that has been made of a post; `card` is the prediction it was made of. */
export type SubmissionMade = { readonly id: string; readonly card: number }

/** The predictions of a post, each with a form of its own: one is submitted, and the others stay. */
export function PredictionCards({
  extraction,
  made,
  today,
  onEdited,
  onCleared,
}: {
  readonly extraction: TweetExtraction
  /** What has been submitted of the post before it was opened. */
  readonly made: readonly SubmissionMade[]
  readonly today: Day
  readonly onEdited: (isEdited: boolean) => void
  /** All have been submitted. @param message what was said of the last one */
  readonly onCleared: (message: string) => void
}) {
  const cards = useMemo(() => cardsOf(extraction), [extraction])
  const [said, setSaid] = useState<ReadonlyMap<number, string>>(
    () => new Map(made.map(({ id, card }) => [card, `Submitted as ${id}.`])),
  )
  const isLeft = (index: number, done = said): boolean => index < cards.length && !done.has(index)
  const [open, setOpen] = useState(() =>
    Math.max(
      0,
      cards.findIndex((_, index) => isLeft(index)),
    ),
  )
  const [edited, setEdited] = useState<ReadonlySet<number>>(new Set())
  const isEdited = edited.size > 0
  useEffect(() => onEdited(isEdited), [isEdited, onEdited])

  function note(index: number, isOne: boolean): void {
    setEdited((before) => {
      if (before.has(index) === isOne) return before
      const after = new Set(before)
      if (isOne) after.add(index)
      else after.delete(index)
      return after
    })
  }

  function cleared(index: number, message: string): void {
    const done = new Map(said).set(index, message)
    const next = cards.findIndex((_, one) => isLeft(one, done))
    setSaid(done)
    if (next < 0) onCleared(message)
    else setOpen(next)
  }

  if (cards.length === 1) {
    return (
      <Stack>
        {made.length > 0 && <Callout tone="good">{said.get(0)}</Callout>}
        <DecisionForm
          card={0}
          {...{ extraction, today, onEdited }}
          onCleared={(message) => cleared(0, message)}
        />
      </Stack>
    )
  }
  return (
    <Stack as="section" gap={3} aria-label="Predictions in this post">
      <Text tone="quiet">
        {cards.length} predictions in this post, {cards.length - said.size} to decide. Each is
        submitted separately.
      </Text>
      {cards.map((card, index) => (
        <Card
          key={index}
          {...{ card, index, today }}
          said={said.get(index) ?? null}
          wasMade={made.some((one) => one.card === index)}
          isOpen={open === index}
          isEdited={edited.has(index)}
          onOpen={() => setOpen(index)}
          onEdited={note}
          onCleared={cleared}
        />
      ))}
    </Stack>
  )
}

function Card({
  card,
  index,
  today,
  said,
  wasMade,
  isOpen,
  isEdited,
  onOpen,
  onEdited,
  onCleared,
}: {
  readonly card: TweetExtraction
  readonly index: number
  readonly today: Day
  readonly said: string | null
  /** Before the post was opened; else the form itself says so. */
  readonly wasMade: boolean
  readonly isOpen: boolean
  readonly isEdited: boolean
  readonly onOpen: () => void
  readonly onEdited: (index: number, isEdited: boolean) => void
  readonly onCleared: (index: number, message: string) => void
}) {
  return (
    <Stack>
      <Button className={css.card} aria-expanded={isOpen} onClick={onOpen}>
        <span>{titleOf(card)}</span>
        <Row as="span" gap={2}>
          {isEdited && <Tag tone="wait">changed</Tag>}
          <Tag tone={said === null ? undefined : 'good'}>
            {said === null ? 'to decide' : '✓ submitted'}
          </Tag>
        </Row>
      </Button>
      {/* What is typed in one stays while another is looked at. */}
      <Stack hidden={!isOpen}>
        {wasMade && <Callout tone="good">{said}</Callout>}
        <DecisionForm
          extraction={card}
          card={index}
          title={`Final Decision ${String(index + 1)}`}
          today={today}
          onEdited={(is) => onEdited(index, is)}
          onCleared={(message) => onCleared(index, message)}
        />
      </Stack>
    </Stack>
  )
}

function titleOf({
  asset_type: asset,
  prediction_type: type,
  price_prediction: price,
  target_time: by,
}: TweetExtraction): string {
  const what = [asset && ASSETS[asset].symbol, type && labelOf(type), price]
  return `${what.filter((one) => one !== null).join(' ')}, ${by === null ? 'no date' : showDate(by)}`
}
