import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { type AssetKey } from '#domain/asset.ts'
import { DIRECTION_OPTIONS, TIMING_NAMES, TYPE_OPTIONS } from '#domain/claim/form-text.ts'
import { monthName, partsOf, readDay, type Day } from '#domain/day.ts'
import { readPrice, showUsd } from '#domain/price-text.ts'
import { SelectInput, TextInput } from '#web/claim-form/inputs.tsx'
import { TimingInput } from '#web/claim-form/timing-input.tsx'
import { DayInput } from '#web/claim-form/day-input.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Columns, Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'
import { Tick } from '#web/ui/tick.tsx'
import {
  CONFIDENCES,
  DECISION_STATUSES,
  endFields,
  FIELD_LABELS,
  requiredFields,
  type Decision,
  type DecisionField,
} from './decision.ts'
import { useDecision } from './use-decision.ts'

const ASSETS: readonly (readonly [AssetKey, string])[] = [
  ['btc', 'bitcoin'],
  ['mstr', 'mstr'],
  ['naka', 'naka'],
]
const STATUSES = DECISION_STATUSES.map((one) => [one, one] as const)
const SURENESS = CONFIDENCES.map((one) => [one, one] as const)

/** So much of drafted notes is shown beside other ones. */
const LONGEST_HINT = 200

/** The final decision on a post: the draft as it was read, to be corrected and submitted. */
export function DecisionForm(
  given: {
    readonly extraction: TweetExtraction
    readonly today: Day
    /** Whose decision it is, where a post has several. */
    readonly title?: string
  } & Pick<Parameters<typeof useDecision>[0], 'card' | 'onEdited' | 'onCleared'>,
) {
  const titleId = useId()
  const { title = 'Final Decision' } = given
  const { element, ...state } = useDecision(given)
  const { changed, isBusy } = state
  const { existing_influencer_name: known } = given.extraction
  return (
    <Panel as="section" aria-labelledby={titleId}>
      <Text as="h2" size="lead" id={titleId}>
        {title}
      </Text>
      {state.isReadAgain && (
        <Text tone="quiet" role="status">
          The post has been read again.{' '}
          {changed.length > 0
            ? 'Your changes are kept; the new draft is shown below each of them.'
            : 'The draft shows the new reading.'}
        </Text>
      )}
      <Stack
        as="form"
        size="small"
        ref={element}
        noValidate
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault()
          state.submit()
        }}
      >
        <DecisionInputs
          state={state}
          influencer={
            known !== null && (
              <Tick
                label={`${known} is already on record. Create a new influencer named ${state.decision.expert_name}.`}
                checked={state.isNewInfluencer}
                onChange={state.setIsNewInfluencer}
              />
            )
          }
        />
        <Row gap={3}>
          <Button look="primary" type="submit" disabled={isBusy}>
            {state.isSending ? 'Submitting...' : 'Submit Prediction'}
          </Button>
          <span className="by-keyboard">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
          {changed.length > 0 && !isBusy && (
            <Button look="quiet" onClick={state.backToDraft}>
              Back to the draft
            </Button>
          )}
        </Row>
        {changed.length > 0 && (
          <Text tone="quiet">
            Changed from the draft: {changed.map((field) => FIELD_LABELS[field]).join(', ')}. The
            difference is kept with the submission.
          </Text>
        )}
        {state.asks !== null && (
          <Notice alert title="Submit it again?" text={state.asks}>
            <Row gap={3}>
              <Button onClick={state.forget}>Cancel</Button>
              <Button onClick={() => state.submit(true)}>Submit another one</Button>
            </Row>
          </Notice>
        )}
        {state.unchanged !== null && (
          <Callout tone="wait" role="status">
            {state.unchanged}
          </Callout>
        )}
        {state.failed !== null && (
          <Text tone="bad" role="alert">
            {state.failed}
          </Text>
        )}
        {state.done !== null && (
          <Callout tone="good" strong role="status">
            {state.done}
          </Callout>
        )}
      </Stack>
    </Panel>
  )
}

function DecisionInputs({
  state: { form, decision, draft, changed, isBusy, follow, submit },
  influencer,
}: {
  readonly state: Omit<ReturnType<typeof useDecision>, 'element'>
  /** Beside the name: whether this person is new. */
  readonly influencer: ReactNode
}) {
  const { prediction_type: type } = decision
  const required = requiredFields(type)
  const ends = endFields(type)
  /** A field with its mark, and what was drafted where that has been changed. */
  const field = <Name extends DecisionField>(name: Name, hint?: string) => ({
    form,
    name,
    label: FIELD_LABELS[name] + (required.includes(name) ? ' *' : ''),
    disabled: isBusy,
    onChange: () => follow(name),
    hint:
      changed.includes(name) && draft[name] !== ''
        ? `Drafted: ${excerpt(dateHint(draft[name]) ?? (name === 'timing' ? TIMING_NAMES[draft.timing] : draft[name]))}`
        : hint,
  })
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
  }

  return (
    <>
      <Columns gap={3}>
        <TextInput {...field('expert_name')} />
        <TextInput {...field('twitter_handle')} placeholder="@name" />
      </Columns>
      {influencer}
      <Columns gap={3}>
        <SelectInput {...field('asset_type')} options={ASSETS} />
        <SelectInput {...field('prediction_type')} options={TYPE_OPTIONS} />
      </Columns>
      <TextInput {...field('price_prediction', readAs(decision))} placeholder="$150,000" />
      {ends.length > 0 && (
        <Columns gap={3}>
          {ends.map((name) => (
            <TextInput key={name} {...field(name)} inputMode="decimal" />
          ))}
        </Columns>
      )}
      <Columns gap={3}>
        <DayInput
          {...field('target_time', dateHint(decision.target_time) ?? 'The post states none.')}
        />
        <DayInput {...field('prediction_made', dateHint(decision.prediction_made))} />
      </Columns>
      <Columns gap={3}>
        <TimingInput {...field('timing')} type={type === '' ? 'target' : type} />
        <SelectInput {...field('direction')} options={DIRECTION_OPTIONS} />
      </Columns>
      <TextInput {...field('source_url')} type="url" placeholder="https://" />
      <Columns gap={3}>
        <SelectInput {...field('status')} options={STATUSES} />
        <SelectInput {...field('confidence')} options={SURENESS} />
      </Columns>
      <TextInput {...field('notes')} rows={4} onKeyDown={onKeyDown} />
      <TextInput {...field('email')} type="email" optional />
    </>
  )
}

function excerpt(text: string): string {
  return text.length > LONGEST_HINT ? `${text.slice(0, LONGEST_HINT)}\u2026` : text
}

/** The date in words: which of two numbers is the month depends on the browser. */
function dateHint(iso: string): string | undefined {
  const day = readDay(iso)
  if (day === null) return undefined
  const { year, month, date } = partsOf(day)
  return `${String(date)} ${monthName(month)} ${String(year)}`
}

/** The number shown back, so that a misread separator is seen. */
function readAs({ price_prediction: text, prediction_type: type }: Decision): string | undefined {
  if (endFields(type).length > 0) return undefined
  const read = readPrice(text)
  return read && read.min === read.max ? `Read as ${showUsd(read.min)}` : undefined
}
