import { useRef, useState } from 'react'
import { z } from 'zod'
import { submissionForm, emptyForm, SubmissionForm } from '#contracts/submissions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { payloadOf, type SubmissionFields } from '#domain/submission.ts'
import { secretFaults, storable } from '#web/claim-form/values.ts'
import {
  deviceStore,
  keep,
  storedText,
  readStored,
  type DeviceStore,
} from '#web/ui/device-store.ts'
import { useChange, useFaults, type Faults } from '#web/ui/use-change.ts'
import { type InvoiceRequest } from './open-payments.ts'

const FIELDS: ReadonlySet<string> = new Set(
  SubmissionForm.omit({ asset_type: true }).keyof().options,
)

export type SubmissionFormApi = ReturnType<typeof useSubmissionForm>

/** The submit form with its stored draft, which survives reloads. */
export function useSubmissionForm(asset: AssetKey, today: Day) {
  const [store] = useState(() => deviceStore())
  const [draft, setDraft] = useState(() => readDraft(store, asset))
  // Replies arrive after later input.
  const latest = useRef(draft)
  const { element, faults, show, typed } = useFaults()
  const { run, isBusy } = useChange()

  function put(next: Draft): void {
    latest.current = next
    setDraft(next)
  }

  function change(part: Partial<Draft>): void {
    put({ ...latest.current, ...part })
    keepDraft(store, latest.current)
  }

  const now = (): SubmissionForm => latest.current.form
  const content = (): string => contentOf(payloadOf(now()))
  const set = (part: Partial<SubmissionForm>): void => change({ form: { ...now(), ...part } })

  return {
    element,
    isBusy,
    values: draft.form,
    now,
    content,
    set,
    show,
    typed,
    /** The props of an input. */
    field: (name: keyof SubmissionForm) => {
      const value: string = draft.form[name]
      return {
        name,
        value,
        fault: faults[name],
        onChange: (text: string): void => {
          typed({ [name]: text }, secretFaults({ [name]: text }))
          change({ form: { ...now(), [name]: storable(name, text, value) } })
        },
      }
    },
    /** @returns whether any fault has a field */
    showFaults: (found: Faults): boolean => {
      const own = Object.entries(found).filter(([name]) => FIELDS.has(name))
      show(Object.fromEntries(own))
      return own.length > 0
    },
    submit: (onValid: (form: SubmissionForm) => Promise<void>): void => {
      const issues = submissionForm(today).safeParse(now()).error?.issues ?? []
      show(Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message])))
      if (issues.length === 0) void run(() => onValid(now()))
    },
    /** An invoice request without a reply, from any tab. */
    asked: {
      last: (): InvoiceRequest | null => readDraft(store, asset).asked ?? latest.current.asked,
      keep: (asked: InvoiceRequest | null): void => change({ asked }),
    },
    /** Clears the form after its payment, except input made in another tab since. */
    finish: (): void => {
      const stored = contentOf(payloadOf(readDraft(store, asset).form))
      if (stored === content()) dropDraft(store, asset)
      put(readDraft(null, asset))
    },
  }
}

const Draft = z.object({
  form: SubmissionForm,
  asked: z.object({ key: z.string(), sats: z.number(), body: z.string() }).nullable(),
})
type Draft = z.infer<typeof Draft>

const PRESET = ['asset_type', 'prediction_type', 'timing', 'prediction_made']

/** Identifies the content of a form, as sent in calls. */
export function contentOf(payload: SubmissionFields): string {
  const entries = Object.entries(payload).toSorted(([a], [b]) => a.localeCompare(b))
  return JSON.stringify(entries.map(([name, value]): unknown => [name, value ?? null]))
}

const keyOf = (asset: AssetKey): string => `submission-draft-${asset}`

export function readDraft(store: DeviceStore | null, asset: AssetKey): Draft {
  const stored = readStored(store, keyOf(asset), Draft)
  const form = { ...(stored?.form ?? emptyForm(asset)), asset_type: asset }
  return { form, asked: stored?.asked ?? null }
}

/** Stores a draft once there is input; fields with a secret key are stored empty. */
export function keepDraft(store: DeviceStore | null, { form, asked }: Draft): void {
  const isTouched = Object.entries(form).some(
    ([name, text]) => !PRESET.includes(name) && text !== '',
  )
  const text = isTouched || asked !== null ? storedText({ form, asked }) : null
  keep(store, keyOf(form.asset_type), text)
}

export function dropDraft(store: DeviceStore | null, asset: AssetKey): void {
  keep(store, keyOf(asset), null)
}
