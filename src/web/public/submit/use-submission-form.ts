import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useForm, type Resolver, type UseFormReturn } from 'react-hook-form'
import { submissionForm, type SubmissionForm } from '#contracts/submissions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { payloadOf } from '#domain/submission.ts'
import { deviceStore } from '#web/ui/device-store.ts'
import { contentOf, dropDraft, keepDraft, readDraft, type Asked } from './draft.ts'

/** A draft is written when the typing rests. */
const KEEP_MS = 300

export type SubmissionFormApi = UseFormReturn<SubmissionForm>

/** The submit form with the draft behind it: whatever happens to the page, what was typed is there again. */
export function useSubmissionForm(asset: AssetKey, today: Day) {
  const [store] = useState(() => deviceStore())
  const [opened] = useState(() => readDraft(store, asset))
  // What is to be kept, as of now: a write that was put off must not bring back what has been dropped since.
  const asked = useRef<Asked | null>(opened.asked)
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
    lastAsked: (): Asked | null => readDraft(store, asset).asked ?? asked.current,
    /** An invoice is asked for; null once there is an answer. */
    setAsked: (next: Asked | null): void => {
      asked.current = next
      keep()
    },
    /** Empties the form after its payment; what was typed in another tab since stays. */
    finish: (): void => {
      const kept = contentOf(payloadOf(readDraft(store, asset).form))
      const isOwn = kept === content()
      asked.current = null
      forget()
      form.reset(readDraft(null, asset).form)
      forget()
      if (isOwn) dropDraft(store, asset)
    },
  }
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
