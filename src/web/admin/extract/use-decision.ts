import { useEffect, useLayoutEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { type Day } from '#domain/day.ts'
import { type CallError } from '#web/api/call.ts'
import { useShownFaults } from '#web/claim-form/use-shown-faults.ts'
import { useChange } from '#web/ui/use-change.ts'
import { submitDecision } from './calls.ts'
import {
  changedFields,
  DECISION_FIELDS,
  draftOf,
  edited,
  faultsOf,
  FIELD_LABELS,
  missingFields,
  missingText,
  placed,
  redrafted,
  submissionOf,
  type Decision,
  type DecisionField,
  type Faults,
} from './decision.ts'

/** The form clears so long after a success (administrator-tools.md §9). */
const CLEAR_MS = 3_000

/**
 * The decision on a post in its form: as it was drafted, until it is changed by hand. A new reading of the same post changes
 * only what was not changed by hand.
 */
export function useDecision({
  extraction,
  card,
  today,
  onEdited,
  onCleared,
}: {
  readonly extraction: TweetExtraction
  /** Which prediction of the post it is; 0 is the main one. */
  readonly card: number
  readonly today: Day
  /** Something has been typed that is not submitted yet, or nothing any more. */
  readonly onEdited: (isEdited: boolean) => void
  /** The decision has been submitted and seen. @param message what was said of it */
  readonly onCleared: (message: string) => void
}) {
  const [read, setRead] = useState<{ now: TweetExtraction; before: TweetExtraction | null }>({
    now: extraction,
    before: null,
  })
  const [opened] = useState(() => draftOf(extraction))
  const form = useForm<Decision>({ values: opened, reValidateMode: 'onSubmit' })
  const decision = useWatch({ control: form.control, compute: (all: Decision) => ({ ...all }) })
  const draft = draftOf(read.now)
  const changed = changedFields(draft, decision)
  const [isNewInfluencer, setIsNewInfluencer] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [done, setDone] = useState<string | null>(null)
  /** The same had been submitted before. */
  const [unchanged, setUnchanged] = useState<string | null>(null)
  const { element, show } = useShownFaults(form, DECISION_FIELDS)
  const change = useChange({ onFailed: ({ fields }) => show(placed(fields, decision)) })

  if (read.now !== extraction) {
    setRead({ now: extraction, before: read.now })
    if (read.now.existing_influencer_id !== extraction.existing_influencer_id) {
      setIsNewInfluencer(false)
    }
  }
  // Before it is seen: the new draft and what was drafted before are never beside each other.
  useLayoutEffect(() => {
    if (read.before === null) return
    form.reset(redrafted(form.getValues(), draftOf(read.before), draftOf(read.now)))
  }, [read, form])

  const isEdited = changed.length > 0 && done === null
  useEffect(() => onEdited(isEdited), [isEdited, onEdited])

  useEffect(() => {
    if (done === null) return
    const timer = setTimeout(() => onCleared(done), CLEAR_MS)
    return () => clearTimeout(timer)
  }, [done, onCleared])

  function refuse(found: Faults, message: string): void {
    show(found)
    setRefused(message)
  }

  function submit(isAgain = false): void {
    if (change.isBusy || done !== null) return
    form.clearErrors()
    change.forget()
    setRefused(null)
    setUnchanged(null)
    const missing = missingFields(decision)
    const wrong = faultsOf(decision, today)
    if (missing.length > 0) {
      const texts = missing.map((field) => [field, `${FIELD_LABELS[field]} is required.`])
      refuse(Object.fromEntries(texts), missingText(missing))
    } else if (Object.keys(wrong).length > 0) refuse(wrong, 'Please correct the marked fields.')
    else {
      const body = submissionOf(decision, extraction, { isNewInfluencer, card, isAgain })
      void change.run(async () => {
        const answer = await submitDecision(decision.asset_type, body)
        if (answer.unchanged) setUnchanged(answer.message)
        else setDone(answer.message)
      })
    }
  }

  return {
    form,
    /** For the element of the form. */
    element,
    decision,
    draft,
    changed,
    isReadAgain: read.before !== null,
    isNewInfluencer,
    setIsNewInfluencer,
    isSending: change.isBusy,
    isBusy: change.isBusy || done !== null,
    /** What was said of it once it was submitted. */
    done,
    unchanged,
    failed: refused ?? (change.failed && !change.isStale ? failureText(change.failed) : null),
    /** What has been submitted of it before, where it is to be said that another one is wanted. */
    asks: change.isStale ? change.said : null,
    forget: change.forget,
    submit,
    /** After a field was changed: what it says of the level is in the others, too. */
    follow: (field: DecisionField): void => {
      const after = edited(decision, field, form.getValues(field))
      for (const other of DECISION_FIELDS) {
        if (after[other] !== form.getValues(other)) form.setValue(other, after[other])
      }
    },
    backToDraft: (): void => form.reset(draft),
  }
}

/** What the server says is preferred (administrator-tools.md §8). */
function failureText({ message, code }: CallError): string {
  const failed = 'Failed to submit prediction'
  if (message === '') return failed
  return code === null ? `${failed}. ${message}` : message
}
