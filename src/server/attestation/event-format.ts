import { z } from 'zod'
import { verdictRow } from '#contracts/prediction-wire.ts'
import { ASSETS } from '#domain/asset.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { fieldsOfClaim } from '#domain/claim/fields.ts'
import { sourceUrlOf } from '#domain/claim/source.ts'
import { claimText, datedClaim, showClaim, typeLabel } from '#domain/claim/text.ts'
import { isoDay, showDay } from '#domain/day.ts'
import { outcomeWord } from '#domain/judging/verdict.ts'
import { Evidence } from '#server/judging/verdicts.rows.ts'
import { sha256 } from '#server/kit/tokens.ts'
import { type StoredPrediction } from '#server/predictions/predictions.rows.ts'
import { type NostrDraft } from '#server/publishing/ports.ts'

/** Addressable kinds not used by any NIP. @see docs/signed-record.md */
export const PREDICTION_KIND = 36_613
export const VERDICT_KIND = 36_614
/** Part of every content; raised for incompatible changes. */
const FORMAT = 1

export const UnsignedVerdict = z.object({
  id: z.coerce.number(),
  predictionId: z.string(),
  verdict: Evidence,
  change: z.string(),
  /** Unix time in ms. */
  at: z.string().transform(Date.parse),
  /** The sentence of the event, such as the reason of an override. */
  note: z.string(),
  /** Whether the claim was corrected after the verdict, which then does not refer to the current claim. */
  isRestated: z.boolean(),
})
type UnsignedVerdict = z.output<typeof UnsignedVerdict>

/** Hash of the claim: SHA-256 of its canonical JSON, hex. */
function claimHash(stored: StoredPrediction): string {
  return sha256(canonicalJson(claimOf(stored)))
}

/** @param previous the replaced event; null for the first */
export function predictionDraft(
  stored: StoredPrediction,
  { at, previous }: { readonly at: number; readonly previous: string | null },
): NostrDraft {
  const { statedClaim, sources, withdrawn, by, byPrecision } = stored
  const sourceUrl = sourceUrlOf(sources)
  const hash = claimHash(stored)
  const state = withdrawn ? 'withdrawn' : 'published'
  const day = showDay(by, byPrecision)
  // Worded differently only if the level alone would mislead, as signed texts must not change.
  const what = statedClaim.timing
    ? datedClaim(statedClaim, day)
    : `${showClaim(statedClaim)} by ${day}`
  const about = `${stored.expert.name}: ${ASSETS[stored.asset].name}, ${typeLabel(statedClaim.type).toLowerCase()} ${what} (${state})`
  return {
    created_at: at,
    kind: PREDICTION_KIND,
    tags: [
      ['d', stored.id],
      ['x', hash],
      ['t', stored.asset],
      ...(sourceUrl === null ? [] : [['r', sourceUrl]]),
      ...(previous === null ? [] : [['previous', previous]]),
      ['alt', `Price prediction on record: ${about}`],
    ],
    content: canonicalJson({
      v: FORMAT,
      id: stored.id,
      state,
      state_reason: withdrawn?.reason ?? null,
      claim: claimOf(stored),
      claim_sha256: hash,
    }),
  }
}

/** @param pubkey of the signer, hex @param previous the replaced event; null for the first */
export function verdictDraft(
  stored: StoredPrediction,
  { verdict, change, note, isRestated, at: computedAt }: UnsignedVerdict,
  input: { readonly pubkey: string; readonly at: number; readonly previous: string | null },
): NostrDraft {
  const { pubkey, at, previous } = input
  // Not bound to the corrected claim, which came later.
  const hash = isRestated ? null : claimHash(stored)
  const word = outcomeWord(verdict.outcome)
  const claim = isRestated ? 'a claim corrected since' : levelOf(stored.statedClaim)
  const about = `${word}${verdict.day === null ? '' : ` on ${showDay(verdict.day)}`}, by ${verdict.mode}: ${stored.expert.name}, ${ASSETS[stored.asset].name} ${claim}`
  return {
    created_at: at,
    kind: VERDICT_KIND,
    tags: [
      ['d', `${stored.id}/${verdict.mode}`],
      ['a', `${String(PREDICTION_KIND)}:${pubkey}:${stored.id}`],
      ...(hash === null ? [] : [['x', hash]]),
      ['t', stored.asset],
      ...(previous === null ? [] : [['previous', previous]]),
      ['alt', `Verdict on a price prediction: ${about}`],
    ],
    content: canonicalJson({
      v: FORMAT,
      prediction: stored.id,
      claim_sha256: hash,
      change,
      note,
      computed_at: new Date(computedAt).toISOString(),
      verdict: verdictRow(verdict),
    }),
  }
}

function levelOf(claim: Claim): string {
  return claim.timing ? claimText(claim) : showClaim(claim)
}

/** Canonical JSON by RFC 8785: sorted keys, no spaces. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** The claim: person, statement, date and source; levels as stated, USD. */
function claimOf(stored: StoredPrediction): object {
  const { expert, statedClaim } = stored
  const { timing: _timing, direction: _direction, ...levels } = fieldsOfClaim(statedClaim)
  return {
    asset: stored.asset,
    expert_name: expert.name,
    x_handle: expert.handle,
    ...levels,
    // Omitted if implied by the type, so that hashes signed before these fields existed stay the same.
    ...(statedClaim.timing && { timing: statedClaim.timing }),
    ...(statedClaim.direction && { direction: statedClaim.direction }),
    prediction_made: isoDay(stored.made),
    made_precision: stored.madePrecision,
    start_date: stored.from === null ? null : isoDay(stored.from),
    target_time: isoDay(stored.by),
    target_precision: stored.byPrecision,
    deadline_assumed: stored.deadlineAssumed,
    summary: stored.summary,
    // The best source only; others are not part of the proof.
    source_url: sourceUrlOf(stored.sources),
  }
}
