import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  useController,
  useForm,
  useFormContext,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form'
import { z } from 'zod'
import { submissionForm, emptyForm, SubmissionForm } from '#contracts/submissions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import { MESSAGES, payloadOf, type SubmissionFields } from '#domain/submission.ts'
import { storable } from '#web/claim-form/values.ts'
import {
  deviceStore,
  keep,
  storedText,
  readStored,
  type DeviceStore,
} from '#web/ui/device-store.ts'
import { onWindow, useFirstFault } from '#web/ui/hooks.ts'
import { type InvoiceRequest } from './open-payments.ts'

const KEEP_MS = 300
const FIELDS = SubmissionForm.omit({ asset_type: true }).keyof().options

export type SubmissionFormApi = UseFormReturn<SubmissionForm>

/** The submit form with its stored draft, which survives reloads. */
export function useSubmissionForm(asset: AssetKey, today: Day) {
  const [store] = useState(() => deviceStore())
  const [opened] = useState(() => readDraft(store, asset))
  // The draft to store; a delayed write must not restore discarded data.
  const asked = useRef<InvoiceRequest | null>(opened.asked)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const form: SubmissionFormApi = useForm<SubmissionForm>({
    defaultValues: opened.form,
    resolver: resolverOf(today),
    reValidateMode: 'onSubmit',
  })

  function keep(): void {
    forget()
    keepDraft(store, { asked: asked.current, form: form.getValues() })
  }

  function forget(): void {
    clearTimeout(timer.current)
    timer.current = undefined
  }

  const flush = useEffectEvent((): void => {
    if (timer.current !== undefined) keep()
  })
  useEffect(() => {
    const leave = form.subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => flush(), KEEP_MS)
      },
    })
    const end = onWindow(['pagehide'], () => flush())
    return () => {
      leave()
      flush()
      end()
    }
  }, [form, store])

  const content = (): string => contentOf(payloadOf(form.getValues()))

  return {
    form,
    content,
    /** An invoice request without a reply, from any tab. */
    asked: {
      last: (): InvoiceRequest | null => readDraft(store, asset).asked ?? asked.current,
      keep: (next: InvoiceRequest | null): void => {
        asked.current = next
        keep()
      },
    },
    /** Clears the form after its payment, except input made in another tab since. */
    finish: (): void => {
      const stored = contentOf(payloadOf(readDraft(store, asset).form))
      const isOwn = stored === content()
      asked.current = null
      forget()
      form.reset(readDraft(null, asset).form)
      forget()
      if (isOwn) dropDraft(store, asset)
    },
  }
}

/** Connects a field of the surrounding form to an input. */
export function useInput(name: keyof SubmissionForm) {
  const form = useFormContext<SubmissionForm>()
  const { field, fieldState } = useController({ control: form.control, name })
  const value: string = field.value
  return {
    name,
    value,
    fault: fieldState.error?.message,
    ref: field.ref,
    onBlur: field.onBlur,
    onChange: (text: string): void => {
      form.clearErrors(name)
      if (holdsSecretKey(text)) form.setError(name, { message: MESSAGES.secretKey })
      field.onChange(storable(name, text, value))
    },
  }
}

/** Shows faults found by the server, each at its field until edited, and focuses the first. */
export function useVisibleFaults(form: SubmissionFormApi) {
  const { element, focusFault } = useFirstFault()

  /** @returns whether any fault has a field */
  function show(faults: Readonly<Record<string, string>>): boolean {
    const found = FIELDS.filter((name) => faults[name] !== undefined)
    for (const name of found) form.setError(name, { message: faults[name] ?? '' })
    if (found.length > 0) focusFault()
    return found.length > 0
  }

  return { element, show }
}

function resolverOf(today: Day): Resolver<SubmissionForm> {
  const schema = submissionForm(today)
  return (values) => {
    const read = schema.safeParse(values)
    if (read.success) return { values, errors: {} }
    const errors = read.error.issues.map((issue) => [
      String(issue.path[0]),
      { type: 'custom', message: issue.message },
    ])
    return { values: {}, errors: Object.fromEntries(errors) }
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
