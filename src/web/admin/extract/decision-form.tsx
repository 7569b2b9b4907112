import { Fragment, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { type TweetExtraction } from '#contracts/posts.ts'
import { submitBtc, submitMstr, submitNaka } from '#contracts/submissions.ts'
import { TIMING_NAMES, timingIn, timingOptions } from '#domain/claim/claim-input.ts'
import { readPrice } from '#domain/claim/written.ts'
import { truncate } from '#domain/clean-text.ts'
import { dayOfTime, monthName, partsOf, readDay, type Day } from '#domain/day.ts'
import { showUsd } from '#domain/price-text.ts'
import { FormInput, type FormField } from '#web/admin/kit/admin-form.tsx'
import { Section } from '#web/admin/kit/screen.tsx'
import { useDecision } from '#web/admin/kit/use-decision.tsx'
import { sendByKeys } from '#web/admin/kit/use-keys.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { type CallError } from '#web/api/call.ts'
import { secretFaults } from '#web/claim-form/values.ts'
import { Button } from '#web/ui/button.tsx'
import { Tick } from '#web/ui/field.tsx'
import { after } from '#web/ui/hooks.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Row, Stack, Callout, Text, sends, Tiles } from '#web/ui/primitives.tsx'
import { useFaults } from '#web/ui/use-change.ts'
import {
  changedFields,
  draftOf,
  edited,
  editsOf,
  endFields,
  FORM_FIELDS,
  placed,
  refusalOf,
  requiredFields,
  shownFields,
  submissionOf,
  type Decision,
  type DecisionField,
  type Faults,
} from './decision.ts'

/** Delay before the form clears after a success (administrator-tools.md §9). */
const CLEAR_MS = 3_000
/** Characters of the drafted notes shown when the notes were changed. */
const LONGEST_HINT = 200
const ROUTES = { btc: submitBtc, mstr: submitMstr, naka: submitNaka } as const
const today = (): Day => dayOfTime(Date.now())

/**
 * The final decision on a post: the extracted draft, to correct and submit. Reading the post again updates only the
 * fields that were not edited.
 */
export function DecisionForm({
  extraction,
  card,
  title,
  onEdited,
  onCleared,
}: {
  readonly extraction: TweetExtraction
  /** Index of the prediction in the post; 0 is the main one. */
  readonly card: number
  readonly title: string
  readonly onEdited: (isEdited: boolean) => void
  /** Called when the success message has been shown after submitting. */
  readonly onCleared: (message: string) => void
}) {
  const sending = useDecision()
  const [first] = useState(extraction.extraction_id)
  const [edits, setEdits] = useState<Partial<Decision>>({})
  const { element, faults, ...fields } = useFaults()
  const [refused, setRefused] = useState<string | null>(null)
  const [answer, setAnswer] = useState<{ isNew: boolean; message: string } | null>(null)
  /** The person on record who is confirmed to be someone else. */
  const [notThis, setNotThis] = useState<number | null>(null)
  const { existing_influencer_id: knownId, existing_influencer_name: known } = extraction
  const isNewInfluencer = known !== null && notThis === knownId
  const draft = draftOf(extraction)
  const decision = { ...draft, ...edits }
  const changed = changedFields(draft, decision)
  const done = answer?.isNew ? answer.message : null
  const isBusy = sending.isBusy || done !== null
  const isEdited = changed.length > 0 && done === null

  const report = useEffectEvent(onEdited)
  useEffect(() => report(isEdited), [isEdited])
  const clear = useEffectEvent(onCleared)
  useEffect(() => {
    if (done !== null) return after(CLEAR_MS, () => clear(done))
    return undefined
  }, [done])

  function change(field: DecisionField, value: string): void {
    const secrets = secretFaults({ [field]: value })
    fields.typed({ [field]: value }, secrets)
    if (!secrets[field]) setEdits(editsOf(draft, edited(decision, field, value)))
  }

  async function submit(isAgain = false): Promise<void> {
    const refusal = refusalOf(decision, today())
    setRefused(refusal?.message ?? null)
    fields.show(refusal?.faults ?? {})
    setAnswer(null)
    sending.forget()
    if (refusal) return
    const body = submissionOf(decision, extraction, { isNewInfluencer, card, isAgain })
    const send = () => adminCall(ROUTES[decision.asset_type], { body })
    await sending.run(async () => {
      const placedHere = (found: Faults) => placed(found, decision)
      const { message, unchanged } = await fields.sending(send, placedHere)
      setAnswer({ isNew: unchanged !== true, message })
    })
  }

  const isAsking = sending.failed?.status === 409
  const failed = refused ?? (isAsking ? null : sending.failed && failureText(sending.failed))
  return (
    <Section title={title} framed>
      {extraction.extraction_id !== first && (
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
        aria-label={title}
        {...sends(() => void submit())}
        onKeyDown={sendByKeys}
      >
        <DecisionInputs {...{ decision, draft, faults, isBusy }} onChange={change}>
          {known !== null && (
            <div className="whole">
              <Tick
                label={`${known} is already on record. Create a new influencer named ${decision.expert_name}.`}
                checked={isNewInfluencer}
                onChange={(isOther) => setNotThis(isOther ? knownId : null)}
              />
            </div>
          )}
        </DecisionInputs>
        <Row gap={3}>
          <Button look="primary" type="submit" disabled={isBusy}>
            {sending.isBusy && done === null ? 'Submitting...' : 'Submit Prediction'}
          </Button>
          {isEdited && !isBusy ? (
            <Button look="quiet" onClick={() => setEdits({})}>
              Back to the draft
            </Button>
          ) : (
            <span className="by-keyboard">
              <kbd>Ctrl</kbd> <kbd>Enter</kbd>
            </span>
          )}
        </Row>
        {changed.length > 0 && (
          <Text tone="quiet">
            Changed from the draft: {changed.map((field) => FORM_FIELDS[field].label).join(', ')}.
            The difference is kept with the submission.
          </Text>
        )}
        {isAsking && (
          <Notice alert title="Submit it again?" text={sending.failed?.message ?? ''}>
            <Row gap={3}>
              <Button onClick={sending.forget}>Cancel</Button>
              <Button onClick={() => void submit(true)}>Submit another one</Button>
            </Row>
          </Notice>
        )}
        {failed !== null && (
          <Text tone="bad" role="alert">
            {failed}
          </Text>
        )}
        {answer && (
          <Callout tone={answer.isNew ? 'good' : 'wait'} strong={answer.isNew} role="status">
            {answer.message}
          </Callout>
        )}
      </Stack>
    </Section>
  )
}

function DecisionInputs({
  decision,
  draft,
  faults,
  isBusy,
  onChange,
  children,
}: {
  readonly decision: Decision
  readonly draft: Decision
  readonly faults: Faults
  readonly isBusy: boolean
  readonly onChange: (field: DecisionField, value: string) => void
  readonly children: ReactNode
}) {
  const changed = changedFields(draft, decision)
  const { prediction_type: type } = decision
  const timing = timingIn(type, decision.timing)
  const [end, otherEnd] = endFields(type)
  const onlyEnd = otherEnd ? undefined : end
  return (
    <Tiles as="fieldset" gap={3} least="half" disabled={isBusy}>
      {shownFields(type).map((name) => (
        <Fragment key={name}>
          <div className={WHOLE.includes(name) || name === onlyEnd ? 'whole' : undefined}>
            <FormInput
              name={name}
              field={fieldOf(name, decision, changed.includes(name) ? draft : null)}
              value={{ ...decision, timing }[name]}
              fault={faults[name]}
              onChange={(value) => onChange(name, String(value))}
            />
          </div>
          {name === 'twitter_handle' && children}
        </Fragment>
      ))}
    </Tiles>
  )
}

/** Fields as wide as the form; the others stand in pairs. */
const WHOLE: readonly DecisionField[] = ['price_prediction', 'source_url', 'notes', 'email']

function fieldOf(name: DecisionField, decision: Decision, was: Decision | null): FormField {
  const { prediction_type: type } = decision
  const field = FORM_FIELDS[name]
  const mark = requiredFields(type).includes(name) ? ' *' : ''
  const drafted = was?.[name] ?? ''
  const hint =
    was && drafted !== ''
      ? `Drafted: ${truncate(name === 'timing' ? TIMING_NAMES[was.timing] : (dateText(drafted) ?? drafted), LONGEST_HINT)}`
      : name === 'price_prediction'
        ? readAs(decision)
        : field.is === 'day'
          ? dateText(decision[name])
          : undefined
  return {
    ...field,
    label: field.label + mark,
    hint: hint ?? field.hint,
    ...(name === 'timing' && { options: timingOptions(type) }),
  }
}

/** The date in words, because browsers differ in the order of day and month. */
function dateText(iso: string): string | undefined {
  const day = readDay(iso)
  if (day === null) return undefined
  const { year, month, date } = partsOf(day)
  return `${String(date)} ${monthName(month)} ${String(year)}`
}

/** Repeats the number as parsed, so that a misread separator is noticed. */
function readAs({ price_prediction: text, prediction_type: type }: Decision): string | undefined {
  if (endFields(type).length > 0) return undefined
  const read = readPrice(text)
  return read && read.min === read.max ? `Read as ${showUsd(read.min)}` : undefined
}

/** The server's messages take precedence (administrator-tools.md §8). */
function failureText({ message, code }: CallError): string {
  const failed = 'Failed to submit prediction'
  if (message === '') return failed
  return code === null ? `${failed}. ${message}` : message
}
