import { formFieldOf } from '#domain/claim/given.ts'
import { useEffect, useEffectEvent, useRef, useState, type ChangeEvent } from 'react'
import { useForm, type Resolver, type UseFormReturn } from 'react-hook-form'
import { submissionForm, type SubmissionForm } from '#contracts/submissions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { holdsSecretKey } from '#domain/publishing/nostr-key.ts'
import { MESSAGES, payloadOf, type SubmissionFields } from '#domain/submission.ts'
import { contentOf, deviceStore, dropDraft, keepDraft, readDraft, type Asked } from './draft.ts'
import { FIELDS } from './form-texts.ts'

/** A draft is written when the typing rests. */
const KEEP_MS = 300

export type SubmissionFormApi = UseFormReturn<SubmissionForm, unknown, SubmissionFields>

/** The submit form with the draft behind it: whatever happens to the page, what was typed is there again. */
export function useSubmissionForm(asset: AssetKey, today: Day) {
  const [store] = useState(deviceStore)
  const [opened] = useState(() => readDraft(store, asset, today))
  // What is to be kept, as of now: a write that was put off must not bring back what has been dropped since.
  const asked = useRef<Asked | null>(opened.asked)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const form: SubmissionFormApi = useForm<SubmissionForm, unknown, SubmissionFields>({
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
    const flushNow = (): void => flush()
    window.addEventListener('pagehide', flushNow)
    return () => {
      leave()
      flush()
      window.removeEventListener('pagehide', flushNow)
    }
  }, [form, store])

  const content = (): string => contentOf(payloadOf(form.getValues()))

  return {
    form,
    /** What the form holds now, for comparing it. */
    content,
    /** A call for an invoice that has not been answered, by whichever tab. */
    lastAsked: (): Asked | null => readDraft(store, asset, today).asked ?? asked.current,
    /** An invoice is asked for; null once there is an answer. */
    setAsked: (next: Asked | null): void => {
      asked.current = next
      keep()
    },
    /** The submission has been paid: the form is empty again. What another tab has typed since stays. */
    finish: (): void => {
      const kept = contentOf(payloadOf(readDraft(store, asset, today).form))
      const isOwn = kept === content()
      asked.current = null
      forget()
      form.reset(readDraft(null, asset, today).form)
      forget()
      if (isOwn) dropDraft(store, asset)
    },
  }
}

/** Faults that the server found, shown at their fields. @returns whether any belongs to a field of the form */
export function showFaults(
  form: SubmissionFormApi,
  faults: Readonly<Record<string, string>>,
): boolean {
  let isShown = false
  for (const [name, message] of Object.entries(faults)) {
    const wanted = formFieldOf(name, form.getValues('prediction_type'))
    const field = FIELDS.find((one) => one === wanted)
    if (!field) continue
    form.setError(field, { message }, { shouldFocus: !isShown })
    isShown = true
  }
  return isShown
}

/**
 * What a field takes of a text that was typed or pasted into it. Editing clears its fault; a secret key never gets into
 * the form: the field is as before, and says why.
 */
export function taken(form: SubmissionFormApi, name: keyof SubmissionForm, text: string): string {
  form.clearErrors(name)
  if (!holdsSecretKey(text)) return text
  form.setError(name, { message: MESSAGES.secretKey })
  const before = form.getValues(name)
  return name === 'nostr_npub' || holdsSecretKey(before) ? '' : before
}

/** The handlers of a text field. */
export function textField(form: SubmissionFormApi, name: keyof SubmissionForm) {
  const registered = form.register(name)
  return {
    ...registered,
    onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): Promise<unknown> {
      const { target } = event
      const text = taken(form, name, target.value)
      if (text !== target.value) target.value = text
      return Promise.resolve(registered.onChange(event))
    },
  }
}

function resolverOf(today: Day): Resolver<SubmissionForm, unknown, SubmissionFields> {
  const schema = submissionForm(today)
  return (values) => {
    const read = schema.safeParse(values)
    if (read.success) return { values: read.data, errors: {} }
    const errors = read.error.issues.map((issue) => [
      String(issue.path[0]),
      { type: 'custom', message: issue.message },
    ])
    return { values: {}, errors: Object.fromEntries(errors) }
  }
}
