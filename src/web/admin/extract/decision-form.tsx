import { TYPE_OPTIONS } from '#domain/claim/form-text.ts'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { type AssetKey } from '#domain/asset.ts'
import { monthName, partsOf, readDay, type Day } from '#domain/day.ts'
import { readPrice, showUsd } from '#domain/price-text.ts'
import { CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/choice.tsx'
import { Field } from '#web/ui/field.tsx'
import { Tick } from '#web/ui/tick.tsx'
import { submitDecision } from './calls.ts'
import css from './decision-form.module.css'
import {
  changedFields,
  CONFIDENCES,
  DECISION_STATUSES,
  draftOf,
  edited,
  EMPTY_DECISION,
  faultsOf,
  FIELD_LABELS,
  missingFields,
  missingText,
  endFields,
  placed,
  redrafted,
  submissionOf,
  type Decision,
  type DecisionField,
  type Faults,
} from './decision.ts'
import { Columns, Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Callout, Text } from '#web/ui/text.tsx'

/** The form clears so long after a success (administrator-tools.md §9). */
const CLEAR_MS = 3_000

const ASSETS: readonly (readonly [AssetKey, string])[] = [
  ['btc', 'bitcoin'],
  ['mstr', 'mstr'],
  ['naka', 'naka'],
]
const STATUSES = DECISION_STATUSES.map((one) => [one, one] as const)
const SURENESS = CONFIDENCES.map((one) => [one, one] as const)

type Sending =
  | { readonly state: 'idle' | 'sending' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'done'; readonly message: string }

/** So much of drafted notes is shown beside other ones. */
const LONGEST_HINT = 200

/**
 * The final decision on a post: the draft as it was read, to be corrected and submitted. A new reading of the same post
 * changes what nobody has changed by hand, and nothing else.
 */
export function DecisionForm({
  extraction,
  today,
  onEdited,
  onCleared,
}: {
  readonly extraction: TweetExtraction
  readonly today: Day
  /** Something has been typed that is not submitted yet, or nothing any more. */
  readonly onEdited: (isEdited: boolean) => void
  /** The decision has been submitted and seen. @param message what was said of it */
  readonly onCleared: (message: string) => void
}) {
  const [read, setRead] = useState(extraction)
  const [draft, setDraft] = useState(() => draftOf(extraction))
  const [decision, setDecision] = useState<Decision>(draft)
  const [faults, setFaults] = useState<Faults>({})
  const [isNewInfluencer, setIsNewInfluencer] = useState(false)
  const [sending, setSending] = useState<Sending>({ state: 'idle' })
  const [isReadAgain, setIsReadAgain] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  if (read !== extraction) readAgain()
  const changed = new Set(changedFields(draft, decision))
  const { prediction_type: type } = decision
  const isBusy = sending.state === 'sending' || sending.state === 'done'

  const isEdited = changed.size > 0 && sending.state !== 'done'
  useEffect(() => onEdited(isEdited), [isEdited, onEdited])

  useEffect(() => {
    if (sending.state !== 'done') return
    const timer = setTimeout(() => {
      setDecision(EMPTY_DECISION)
      onCleared(sending.message)
    }, CLEAR_MS)
    return () => clearTimeout(timer)
  }, [sending, onCleared])

  function readAgain(): void {
    const now = draftOf(extraction)
    setRead(extraction)
    setDraft(now)
    setDecision((before) => redrafted(before, draft, now))
    if (read.existing_influencer_id !== extraction.existing_influencer_id) {
      setIsNewInfluencer(false)
    }
    setIsReadAgain(true)
  }

  function change<Name extends DecisionField>(field: Name, value: Decision[Name]): void {
    setDecision((before) => edited(before, field, value))
    setFaults((found) =>
      Object.fromEntries(Object.entries(found).filter(([name]) => name !== field)),
    )
    if (sending.state === 'failed') setSending({ state: 'idle' })
  }

  async function submit(): Promise<void> {
    if (isBusy) return
    const missing = missingFields(decision)
    if (missing.length > 0) {
      refuse(
        Object.fromEntries(missing.map((field) => [field, `${FIELD_LABELS[field]} is required.`])),
        missingText(missing),
      )
      return
    }
    const wrong = faultsOf(decision, today)
    if (Object.keys(wrong).length > 0) {
      refuse(wrong, 'Please correct the marked fields.')
      return
    }
    setFaults({})
    setSending({ state: 'sending' })
    try {
      const { message } = await submitDecision(
        decision.asset_type,
        submissionOf(decision, extraction, isNewInfluencer),
      )
      setSending({ state: 'done', message })
    } catch (error) {
      const told = error instanceof CallError ? error : null
      refuse(placed(told?.fields ?? {}, decision), failureText(told))
    }
  }

  function refuse(found: Faults, message: string): void {
    setFaults(found)
    setSending({ state: 'failed', message })
    const first = Object.keys(found)[0]
    // The field is marked only once React has drawn it.
    queueMicrotask(() => {
      form.current?.querySelector<HTMLElement>(`[name="${first ?? ''}"]`)?.focus()
    })
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
  }

  /** A field with its mark, its fault, and what was drafted where that has been changed. */
  const shell = (field: DecisionField, more: { hint?: string | undefined } = {}) => ({
    label: FIELD_LABELS[field] + (isRequired(field, type) ? ' *' : ''),
    fault: faults[field],
    hint:
      changed.has(field) && draft[field] !== ''
        ? `Drafted: ${excerpt(dateHint(draft[field]) ?? draft[field])}`
        : more.hint,
  })
  const text = (
    field: Exclude<DecisionField, 'asset_type' | 'prediction_type' | 'status' | 'confidence'>,
  ) => ({
    name: field,
    value: decision[field],
    disabled: isBusy,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => change(field, event.target.value),
  })

  return (
    <Panel as="section" aria-labelledby="decision-title">
      <Text as="h2" size="lead" id="decision-title">
        Final Decision
      </Text>
      {isReadAgain && (
        <Text tone="quiet" role="status">
          The post has been read again.{' '}
          {changed.size > 0
            ? 'What you changed stays; what is drafted now stands below it.'
            : 'The draft is as it is read now.'}
        </Text>
      )}
      <Stack
        as="form"
        size="small"
        ref={form}
        className={css.form}
        noValidate
        aria-label="Final Decision"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Columns gap={3}>
          <Field {...shell('expert_name')}>
            {(control) => <input {...control} {...text('expert_name')} />}
          </Field>
          <Field {...shell('twitter_handle')}>
            {(control) => <input {...control} {...text('twitter_handle')} placeholder="@name" />}
          </Field>
        </Columns>
        {extraction.existing_influencer_name !== null && (
          <Tick
            label={`${extraction.existing_influencer_name} is on record already. Create a new influencer named ${decision.expert_name}.`}
            checked={isNewInfluencer}
            onChange={setIsNewInfluencer}
          />
        )}
        <Columns gap={3}>
          <Choice
            {...shell('asset_type')}
            name="asset_type"
            disabled={isBusy}
            options={ASSETS}
            value={decision.asset_type}
            onChange={(key) => change('asset_type', key)}
          />
          <Choice
            {...shell('prediction_type')}
            name="prediction_type"
            disabled={isBusy}
            options={TYPE_OPTIONS}
            value={type === '' ? 'target' : type}
            onChange={(key) => change('prediction_type', key)}
          />
        </Columns>
        <Field {...shell('price_prediction', { hint: readAs(decision) })}>
          {(control) => <input {...control} {...text('price_prediction')} placeholder="$150,000" />}
        </Field>
        {endFields(type).length > 0 && (
          <Columns gap={3}>
            {endFields(type).map((field) => (
              <Field key={field} {...shell(field)}>
                {(control) => (
                  <input {...control} {...text(field)} inputMode="decimal" step="0.01" />
                )}
              </Field>
            ))}
          </Columns>
        )}
        <Columns gap={3}>
          <Field
            {...shell('target_time', {
              hint: dateHint(decision.target_time) ?? 'The post states none.',
            })}
          >
            {(control) => <input {...control} {...text('target_time')} type="date" />}
          </Field>
          <Field {...shell('prediction_made', { hint: dateHint(decision.prediction_made) })}>
            {(control) => <input {...control} {...text('prediction_made')} type="date" />}
          </Field>
        </Columns>
        <Field {...shell('source_url')}>
          {(control) => (
            <input
              {...control}
              {...text('source_url')}
              type="url"
              inputMode="url"
              placeholder="https://"
            />
          )}
        </Field>
        <Columns gap={3}>
          <Choice
            {...shell('status')}
            name="status"
            disabled={isBusy}
            options={STATUSES}
            value={decision.status}
            onChange={(key) => change('status', key)}
          />
          <Choice
            {...shell('confidence')}
            name="confidence"
            disabled={isBusy}
            options={SURENESS}
            value={decision.confidence}
            onChange={(key) => change('confidence', key)}
          />
        </Columns>
        <Field {...shell('notes')}>
          {(control) => <textarea {...control} {...text('notes')} rows={4} onKeyDown={onKey} />}
        </Field>
        <Field {...shell('email')} optional>
          {(control) => <input {...control} {...text('email')} type="email" inputMode="email" />}
        </Field>
        <Row gap={3}>
          <Button look="primary" type="submit" disabled={isBusy}>
            {sending.state === 'sending' ? 'Submitting...' : 'Submit Prediction'}
          </Button>
          <span className="by-keyboard">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
          {changed.size > 0 && !isBusy && (
            <Button look="quiet" onClick={() => setDecision(draft)}>
              Back to the draft
            </Button>
          )}
        </Row>
        {changed.size > 0 && (
          <Text tone="quiet">
            Changed from the draft: {[...changed].map((field) => FIELD_LABELS[field]).join(', ')}.
            The difference is kept with the submission.
          </Text>
        )}
        {sending.state === 'failed' && (
          <Text tone="bad" role="alert">
            {sending.message}
          </Text>
        )}
        {sending.state === 'done' && (
          <Callout tone="good" strong role="status">
            {sending.message}
          </Callout>
        )}
      </Stack>
    </Panel>
  )
}

/** What the server says is preferred (administrator-tools.md §8). */
function failureText(error: CallError | null): string {
  const failed = 'Failed to submit prediction'
  if (error === null || error.message === '') return failed
  return error.code === null ? `${failed}. ${error.message}` : error.message
}

function isRequired(field: DecisionField, type: Decision['prediction_type']): boolean {
  switch (field) {
    case 'expert_name':
    case 'price_prediction':
    case 'prediction_type':
    case 'target_time':
    case 'source_url':
      return true
    case 'price_min':
    case 'price_max':
      return endFields(type).includes(field)
    case 'twitter_handle':
    case 'asset_type':
    case 'prediction_made':
    case 'status':
    case 'confidence':
    case 'notes':
    case 'email':
      return false
  }
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
