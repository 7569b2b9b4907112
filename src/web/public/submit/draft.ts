import { z } from 'zod'
import { emptyForm, SubmissionForm } from '#contracts/submissions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { type SubmissionFields } from '#domain/submission.ts'
import { keep, keptText, readKept, type DeviceStore } from '#web/ui/device-store.ts'

const Asked = z.object({ key: z.string(), sats: z.number(), body: z.string() })
/** Made again with the same key, a call gets the invoice that its lost answer held. */
export type Asked = z.infer<typeof Asked>

const Draft = z.object({
  form: SubmissionForm,
  /** A call for an invoice that has not been answered. */
  asked: Asked.nullable(),
})
/** What is kept of a submission on this device until it has been paid. */
export type Draft = z.infer<typeof Draft>

/** Fields that are never empty. */
const PRESET = ['asset_type', 'prediction_type', 'timing', 'prediction_made']

/** Whether two forms say the same, as calls carry them. */
export function contentOf(payload: SubmissionFields): string {
  const entries = Object.entries(payload).toSorted(([a], [b]) => a.localeCompare(b))
  return JSON.stringify(entries.map(([name, value]): unknown => [name, value ?? null]))
}

const keyOf = (asset: AssetKey): string => `submission-draft-${asset}`

/** The draft as it was left, or an empty form. */
export function readDraft(store: DeviceStore | null, asset: AssetKey): Draft {
  const kept = readKept(store, keyOf(asset), Draft)
  const form = { ...emptyForm(asset), ...kept?.form, asset_type: asset }
  return { form, asked: kept?.asked ?? null }
}

/** Keeps a draft, once something has been typed; a field that holds a secret key is left empty. */
export function keepDraft(store: DeviceStore | null, { form, asked }: Draft): void {
  const isTouched = Object.entries(form).some(
    ([name, text]) => !PRESET.includes(name) && text !== '',
  )
  const text = isTouched || asked !== null ? keptText({ form, asked }) : null
  keep(store, keyOf(form.asset_type), text)
}

export function dropDraft(store: DeviceStore | null, asset: AssetKey): void {
  keep(store, keyOf(asset), null)
}
