import { type ExtractionReading, type ExtractionSpans } from '#contracts/posts.ts'
import { type AssetKey } from '#domain/asset.ts'
import { TIMING_NAMES } from '#domain/claim/claim-input.ts'
import { dateFault } from '#domain/claim/claim-input.ts'
import { type Claim, isSameClaim, timingOf } from '#domain/claim/claim.ts'
import { claimType, isFault, readClaim } from '#domain/claim/fields.ts'
import { showClaim, typeLabel } from '#domain/claim/text.ts'
import { isoDay, readDay, showDay, type Day } from '#domain/day.ts'
import { type Quote } from '#domain/posts/plain.ts'
import { CAUTION, rulesSentence, whyNone, type PostReading } from '#domain/posts/post-reading.ts'
import { LOWER_CONFIDENCE, fieldsOfReading, type Confidence } from '#domain/posts/reading-fields.ts'
import { type AssistantReading } from './ports.ts'

/** A prediction as read by the parser or the assistant. */
type View = {
  readonly asset: AssetKey
  readonly claim: Claim
  readonly from: Day | null
  readonly by: Day | null
}

export type MergedReading = {
  readonly view: View | null
  readonly spans: ExtractionSpans
  readonly confidence: Confidence
  readonly isByAssistant: boolean
  /** Why there is no prediction; null with one. */
  readonly reason: string | null
  /** Differences and omissions, each a sentence. */
  readonly challenges: readonly string[]
}

const STEPS: readonly Confidence[] = ['low', 'medium', 'high']

/** The text parser's result as a reading. */
export function textReading(reading: PostReading): ExtractionReading {
  const { spans, ...fields } = fieldsOfReading(reading)
  return {
    ...fields,
    prediction_start_date: reading.found ? isoDay(reading.prediction.from) : null,
    confidence: reading.found ? reading.prediction.confidence : 'medium',
    reasoning: reading.found ? rulesSentence(reading.prediction) : whyNone(reading),
    notes: reading.found ? reading.prediction.cautions.map((one) => CAUTION[one]) : [],
    spans: spansOf(spans),
  }
}

export function assistantReading({ notes, ...reading }: AssistantReading): ExtractionReading {
  const { prediction_type: type, timing } = reading
  return {
    ...reading,
    timing: type && timingOf({ type: claimType(type), ...(timing && { timing }) }),
    notes: [...notes],
    spans: spansOf(reading.spans),
  }
}

/**
 * Combines the readings of the text parser and the assistant. If they differ, the assistant's comes first, the
 * difference is listed and the confidence drops. Neither may fill a field without words in the post.
 * @param made the day of the post; null if unknown
 */
export function mergeReadings(
  text: PostReading,
  assistant: AssistantReading | null,
  made: Day | null,
): MergedReading {
  const mine: View | null = text.found ? text.prediction : null
  const merged = assistant ? withAssistant(text, mine, assistant) : alone(text, mine)
  return withoutFalseDates(merged, made)
}

function alone(text: PostReading, view: View | null): MergedReading {
  const reading = textReading(text)
  return {
    view,
    spans: reading.spans,
    confidence: reading.confidence,
    isByAssistant: false,
    reason: view ? null : reading.reasoning,
    challenges: reading.notes,
  }
}

function withAssistant(text: PostReading, mine: View | null, assistant: AssistantReading) {
  const rules = textReading(text)
  const notes = [
    ...(assistant.interpretation_challenges === '' ? [] : [assistant.interpretation_challenges]),
    ...assistant.notes,
  ]
  const theirs = viewOfAssistant(assistant, mine?.asset ?? null)
  if (!theirs) return withoutAssistantsView(text, mine, assistant, notes)
  const by = (view: View, confidence: Confidence, differences: readonly string[]) => ({
    view,
    spans: spansOf(assistant.spans),
    confidence,
    isByAssistant: true,
    reason: null,
    challenges: [...differences, ...notes],
  })
  if (!text.found && text.why === 'language') {
    return by(theirs, assistant.confidence, [
      `The post is in ${text.language ?? 'another language'}; the assistant alone has read it.`,
    ])
  }
  if (!mine) {
    return by(theirs, 'low', [`The text parser finds no prediction: ${rules.reasoning}`])
  }
  if (mine.asset !== theirs.asset || !isSameClaim(mine.claim, theirs.claim, 1e-6)) {
    return by(theirs, 'low', [
      `The text parser reads ${showView(mine)}, the assistant ${showView(theirs)}.`,
    ])
  }
  const timings = timingsText(mine.claim, theirs.claim)
  const lowered = LOWER_CONFIDENCE[lowerOf(rules.confidence, assistant.confidence)]
  if (mine.by === theirs.by && timings !== null) return by(theirs, lowered, [timings])
  if (mine.by === theirs.by) return by(theirs, higherOf(rules.confidence, assistant.confidence), [])
  const deadlines = `The text parser reads ${showDeadline(mine.by)}, the assistant ${showDeadline(theirs.by)}.`
  const merged = by({ ...theirs, by: theirs.by ?? mine.by }, lowered, [deadlines])
  const words = rules.spans.target_time
  return theirs.by === null && words
    ? { ...merged, spans: { ...merged.spans, target_time: words } }
    : merged
}

/** The assistant finds no prediction, was refuted, or could not quote its words. */
function withoutAssistantsView(
  text: PostReading,
  mine: View | null,
  assistant: AssistantReading,
  notes: readonly string[],
): MergedReading {
  const rules = alone(text, mine)
  if (assistant.has_prediction && !assistant.refuted?.is) {
    const unfounded =
      'The assistant found a prediction, but could not quote the post for all of its parts.'
    return {
      ...rules,
      confidence: LOWER_CONFIDENCE[rules.confidence],
      challenges: [unfounded, ...notes, ...rules.challenges],
    }
  }
  const reason = assistant.refuted?.is ? assistant.refuted.why : assistant.reasoning
  const how = assistant.refuted?.is
    ? 'A second check by the assistant refutes it'
    : 'The assistant finds no prediction'
  const outcome = reason === '' ? `${how}, without a reason.` : `${how}: ${reason}`
  // A post may instruct a model to find nothing; what the rules find for certain stays visible.
  if (mine && rules.confidence === 'high') {
    return {
      ...rules,
      confidence: 'low',
      challenges: [outcome, ...notes, ...rules.challenges],
    }
  }
  return {
    view: null,
    spans: {},
    confidence: mine ? 'medium' : 'high',
    isByAssistant: true,
    // The rules give a reason only if they find no prediction either.
    reason: reason !== '' ? reason : (rules.reason ?? outcome),
    challenges: mine ? [`The text parser reads ${showView(mine)}.`, ...notes] : notes,
  }
}

/** Removes deadlines that no bar could decide, and reports their words. */
function withoutFalseDates(merge: MergedReading, made: Day | null): MergedReading {
  const { view } = merge
  if (!view || view.by === null || made === null) return merge
  const fault = dateFault(view.asset, made, view.from, view.by)
  if (fault === null) return merge
  const isStart = fault.field === 'start_date'
  const { [isStart ? 'prediction_start_date' : 'target_time']: _, ...spans } = merge.spans
  return {
    ...merge,
    view: isStart ? { ...view, from: null } : { ...view, by: null },
    spans,
    confidence: 'low',
    challenges: [`A date was left out: ${fault.message}`, ...merge.challenges],
  }
}

/** Null for a reading without a prediction, asset or level, or a refuted one. */
function viewOfAssistant(reading: AssistantReading, assumed: AssetKey | null): View | null {
  if (!reading.has_prediction || reading.refuted?.is) return null
  const { prediction_type } = reading
  const asset = reading.asset_type ?? assumed
  if (prediction_type === null || asset === null) return null
  const claim = readClaim({ ...reading, prediction_type })
  if (isFault(claim)) return null
  return {
    asset,
    claim,
    from: readDay(reading.prediction_start_date),
    by: readDay(reading.target_time),
  }
}

function showView({ asset, claim, by }: View): string {
  const level = `${typeLabel(claim.type).toLowerCase()} ${showClaim(claim)} for ${asset.toUpperCase()}`
  return by === null ? `${level} without a deadline` : `${level} by ${showDay(by)}`
}

/** How two claims differ in timing and direction; null if they do not. */
function timingsText(mine: Claim, theirs: Claim): string | null {
  const isOtherWay =
    mine.direction !== undefined &&
    theirs.direction !== undefined &&
    mine.direction !== theirs.direction
  if (timingOf(mine) === timingOf(theirs) && !isOtherWay) return null
  const show = (claim: Claim): string =>
    `${isOtherWay ? `${claim.direction ?? ''}, ` : ''}${TIMING_NAMES[timingOf(claim)].toLowerCase()}`
  return `The text parser reads it as true ${show(mine)}, the assistant ${show(theirs)}.`
}

function showDeadline(by: Day | null): string {
  return by === null ? 'no deadline' : `the deadline ${showDay(by)}`
}

function spansOf(quotes: Readonly<Partial<Record<string, Quote>>>): ExtractionSpans {
  return Object.fromEntries(
    Object.entries(quotes).flatMap(([field, found]) =>
      found ? [[field, { start: found.start, end: found.end, text: found.words }]] : [],
    ),
  )
}

function lowerOf(a: Confidence, b: Confidence): Confidence {
  return STEPS.indexOf(a) < STEPS.indexOf(b) ? a : b
}

function higherOf(a: Confidence, b: Confidence): Confidence {
  return lowerOf(a, b) === a ? b : a
}
