import { emptyForm, type SubmissionForm } from '#contracts/submissions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { holdsSecretKey } from '#domain/publishing/nostr-key.ts'
import { PREDICTION_TYPES, levelsAt } from '#domain/claim/fields.ts'
import { type SubmissionFields } from '#domain/submission.ts'

/** What is kept of a submission on this device until it has been paid. */
export type Draft = {
  readonly form: SubmissionForm
  /** A call for an invoice that has not been answered. */
  readonly asked: Asked | null
}

/** Made again with the same key, a call gets the invoice that its lost answer held. */
export type Asked = { readonly key: string; readonly sats: number; readonly body: string }

export type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Fields that are never empty. */
const PRESET = ['asset_type', 'prediction_type', 'target_time', 'prediction_made']

/** Tells whether two forms say the same, as calls carry them. */
export function contentOf(payload: SubmissionFields): string {
  const entries = Object.entries(payload).map(([name, value]) => [name, value ?? null])
  return JSON.stringify(entries.toSorted(([a], [b]) => String(a).localeCompare(String(b))))
}

const keyOf = (asset: AssetKey): string => `submission-draft-${asset}`

/** The storage of the browser; it may be switched off, and the form then lives as long as its page. */
export function deviceStore(): DraftStore | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}

/** The draft as it was left, or an empty form. */
export function readDraft(store: DraftStore | null, asset: AssetKey, today: Day): Draft {
  const form = emptyForm(asset, isoDay(today))
  const kept = keptValue(store, asset)
  const given = new Map(Object.entries(isRecord(kept['form']) ? kept['form'] : {}))
  const textOf = (name: keyof SubmissionForm): string => {
    const text = given.get(name)
    return typeof text === 'string' ? text : form[name]
  }
  return {
    form: {
      asset_type: asset,
      prediction_type:
        PREDICTION_TYPES.find((type) => type === given.get('prediction_type')) ??
        form.prediction_type,
      expert_name: textOf('expert_name'),
      twitter_handle: textOf('twitter_handle'),
      nostr_npub: textOf('nostr_npub'),
      ...levelsAt(textOf),
      target_time: textOf('target_time'),
      prediction_made: textOf('prediction_made'),
      submitter_email: textOf('submitter_email'),
      source_url: textOf('source_url'),
      notes: textOf('notes'),
    },
    asked: askedOf(kept['asked']),
  }
}

/** Keeps a draft; a field that holds a secret key is left out. */
export function keepDraft(store: DraftStore | null, { form, asked }: Draft): void {
  const entries = Object.entries(form).filter(([, text]) => !holdsSecretKey(text))
  const isTouched = entries.some(([name, text]) => !PRESET.includes(name) && text !== '')
  if (!isTouched && asked === null) {
    dropDraft(store, form.asset_type)
    return
  }
  try {
    const kept = { form: Object.fromEntries(entries), asked }
    store?.setItem(keyOf(form.asset_type), JSON.stringify(kept))
  } catch {
    // Full or refused: nothing but a reload loses the form.
  }
}

export function dropDraft(store: DraftStore | null, asset: AssetKey): void {
  try {
    store?.removeItem(keyOf(asset))
  } catch {
    // As above.
  }
}

function keptValue(store: DraftStore | null, asset: AssetKey): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(store?.getItem(keyOf(asset)) ?? 'null')
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function askedOf(value: unknown): Asked | null {
  if (!isRecord(value)) return null
  const { key, sats, body } = value
  if (typeof key !== 'string' || typeof sats !== 'number' || typeof body !== 'string') return null
  return { key, sats, body }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
