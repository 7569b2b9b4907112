import { type AssetKey } from './asset.ts'
import {
  readClaimInput,
  readLevel,
  formLevels,
  type ClaimInput,
  dateFault,
  timingIn,
} from './claim/claim-input.ts'
import { type Claim } from './claim/claim.ts'
import { fieldsOfClaim, isFault, readClaim, levelsAt } from './claim/fields.ts'
import { readSources, SOURCE_MESSAGES, type SourcesInput } from './claim/source-input.ts'
import { type Source } from './claim/source.ts'
import { showClaim } from './claim/text.ts'
import { cleanLine, cleanText } from './clean-text.ts'
import { readPartialDay, type DatePrecision, type Day, readDayInput } from './day.ts'
import { BAD_EMAIL, readEmail } from './money/contact.ts'
import { bareHandle } from './people/name.ts'
import { holdsSecretKey, readNpub } from './publishing/nostr.ts'

/** States of a submission. Administrators do not see `unpaid` ones. */
export const SUBMISSION_STATUSES = ['unpaid', 'pending', 'approved', 'rejected'] as const
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number]

/** An administrator's note on the outcome, separate from the verdict (administrator-tools.md §3). */
export const OUTCOME_NOTES = ['pending', 'success', 'miss', 'partial', 'ongoing'] as const
export type OutcomeNote = (typeof OUTCOME_NOTES)[number]

export type Submission = {
  readonly asset: AssetKey
  readonly expertName: string
  readonly twitterHandle: string | null
  readonly nostrNpub: string | null
  readonly claim: Claim
  /** Display text: `$150,000`, or `$80,000 - $120,000`. */
  readonly pricePrediction: string
  readonly by: Day
  readonly made: Day
  readonly madePrecision: DatePrecision
  readonly sources: readonly Source[]
  readonly notes: string
  readonly submitterEmail: string | null
}

/** A submission as sent in calls (public-site.md §7). Levels may be texts; missing values are null, empty or absent. */
export type SubmissionFields = ClaimInput &
  SourcesInput & {
    readonly asset_type?: AssetKey | null | undefined
    readonly expert_name?: string | null | undefined
    readonly twitter_handle?: string | null | undefined
    readonly nostr_npub?: string | null | undefined
    readonly target_time?: string | null | undefined
    /** Our addition: when it was said, if not today: `2024-08-08`, `2024-08` or `2024`. */
    readonly prediction_made?: string | null | undefined
    /** Precision of a stored day; implied by a month or year in `prediction_made`. */
    readonly made_precision?: DatePrecision | null | undefined
    readonly submitter_email?: string | null | undefined
    readonly notes?: string | null | undefined
  }

type SubmissionField = keyof SubmissionFields
/** A message for each invalid field, in the order of the form; `sources.1.date` for lists. */
export type SubmissionFaults = Partial<Record<SubmissionField, string>> &
  Record<`sources.${string}`, string>

export const LONGEST = {
  expert_name: 120,
  twitter_handle: 100,
  nostr_npub: 120,
  source_url: 1_000,
  notes: 2_000,
  submitter_email: 254,
} as const

/** Messages of the submit form (public-site.md §5), and our own for other faults. */
export const MESSAGES = {
  expert_name: 'Please enter the name of the person who made this prediction.',
  target_time: 'Please enter when this price is predicted to be reached.',
  submitter_email: BAD_EMAIL,
  date: 'Please enter a real date.',
  made: 'Please enter when it was said: a day, a month such as 2024-08, or a year such as 2024.',
  madeLater: 'The day the prediction was made is in the future (UTC).',
  npub: 'Please enter a public Nostr key that starts with npub1.',
  secretKey:
    'This is a secret key (nsec). Never share it: anyone who has it can post as you. It was not sent; please enter the public key, which starts with npub1.',
  twitter_handle: 'Please enter an X handle such as @name.',
  source_url: SOURCE_MESSAGES.url,
} as const

/** `prediction_made` for the day of the submission, whenever that is. */
export const SAID_TODAY = 'today'

/**
 * Reads a submission, on the page before payment and on the server before storing it.
 *
 * @param stored its current sources, if it is an edit
 * @returns the submission, or a message for each invalid field
 * @see public-site.md §5, decisions.md §4
 */
export function readSubmission(
  input: SubmissionFields,
  today: Day,
  stored: readonly Source[] = [],
): { ok: true; submission: Submission } | { ok: false; faults: SubmissionFaults } {
  const faults: SubmissionFaults = {}
  const asset = input.asset_type ?? 'btc'
  const expertName = textOf(input.expert_name)
  // A name needs a visible character.
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(expertName)) faults.expert_name = MESSAGES.expert_name
  const optional = (field: keyof typeof OPTIONAL_FAULT, read: (text: string) => string | null) => {
    const text = textOf(input[field])
    const value = text === '' ? null : read(text)
    if (text !== '' && value === null) faults[field] = OPTIONAL_FAULT[field]
    return value
  }
  const twitterHandle = optional('twitter_handle', readHandle)
  const nostrNpub = optional('nostr_npub', readNpub)
  const claim = readClaimInput(input)
  if (!claim.ok) Object.assign(faults, claim.faults)
  const by = readDayInput(textOf(input.target_time))
  if (by === null) {
    faults.target_time = textOf(input.target_time) === '' ? MESSAGES.target_time : MESSAGES.date
  }
  const made = madeOf(input, today)
  if (typeof made === 'string') faults.prediction_made = made
  const isDated = by !== null && typeof made !== 'string'
  const late = isDated ? dateFault(asset, made.day, null, by) : null
  if (late) faults.target_time = late.message
  const submitterEmail = optional('submitter_email', readEmail)
  const { sources, source_url: address } = input
  const read = readSources(
    { sources, source_url: address === undefined ? undefined : textOf(address) },
    { handle: twitterHandle, today, stored },
  )
  Object.assign(faults, read.faults)
  Object.assign(faults, textFaults(input))
  if (!claim.ok || Object.keys(faults).length > 0 || !isDated) return { ok: false, faults }
  return {
    ok: true,
    submission: {
      asset,
      expertName,
      twitterHandle,
      nostrNpub,
      claim: claim.claim,
      pricePrediction: showClaim(claim.claim),
      by,
      made: made.day,
      madePrecision: made.precision,
      sources: read.sources,
      notes: cleanText(input.notes),
      submitterEmail,
    },
  }
}

/**
 * Maps form values to the call: a range sends both ends, a minimum is sent as both ends, a top goes into `price_max`, a
 * bottom into `price_min`. An invalid timing becomes the type's default.
 *
 * @param form texts as typed; levels that the type does not use are dropped
 * @see public-site.md §5, "Payload mapping"
 */
export function payloadOf(form: SubmissionFields): SubmissionFields {
  const isMadeToday = form.prediction_made === SAID_TODAY
  const rest = isMadeToday ? { ...form, prediction_made: null } : form
  const type = form.prediction_type ?? 'target'
  const levels = formLevels(type, form)
  const terms = { timing: timingIn(type, form.timing), direction: form.direction ?? null }
  const read = readClaim({
    prediction_type: type,
    ...terms,
    ...levelsAt((field) => readLevel(levels[field])),
  })
  return isFault(read)
    ? { ...rest, ...levels, ...terms, price_prediction: null }
    : { ...rest, ...fieldsOfClaim(read), price_prediction: showClaim(read) }
}

/**
 * Reads when something was said. A month or year counts as its last day, but no later than today: earlier prices must
 * not prove the prediction.
 *
 * @param text `2024-08-08`, `2024-08` or `2024`
 * @returns the day that counts and its precision, or the fault as a sentence
 */
export function readMade(
  text: string,
  today: Day,
): { readonly day: Day; readonly precision: DatePrecision } | string {
  const read = readPartialDay(text.trim())
  if (read === null) return MESSAGES.date
  if (read.first > today) return MESSAGES.madeLater
  return { day: read.last > today ? today : read.last, precision: read.precision }
}

function madeOf({ prediction_made, made_precision }: SubmissionFields, today: Day) {
  const text = textOf(prediction_made)
  if (text === '') return { day: today, precision: 'day' } as const
  const made = readMade(text, today)
  if (typeof made === 'string' || made.precision !== 'day') return made
  return { ...made, precision: made_precision ?? 'day' }
}

const OPTIONAL_FAULT = {
  twitter_handle: MESSAGES.twitter_handle,
  nostr_npub: MESSAGES.npub,
  submitter_email: MESSAGES.submitter_email,
} as const

/** Texts that are too long or contain a secret; these faults replace others of the same field. */
function textFaults(input: SubmissionFields): SubmissionFaults {
  const faults: SubmissionFaults = {}
  for (const field of Object.keys(LONGEST) as (keyof typeof LONGEST)[]) {
    const text = field === 'notes' ? cleanText(input.notes) : textOf(input[field])
    if (text.length > LONGEST[field]) {
      faults[field] = `Please use at most ${String(LONGEST[field])} characters.`
    }
    if (holdsSecretKey(text)) faults[field] = MESSAGES.secretKey
  }
  return faults
}

function readHandle(text: string): string | null {
  const bare = bareHandle(text)
  return /^\w{1,20}$/.test(bare) ? `@${bare}` : null
}

function textOf(input: string | number | null | undefined): string {
  return cleanLine(String(input ?? ''))
}
