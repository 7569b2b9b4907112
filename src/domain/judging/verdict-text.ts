import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { highOf, lowOf, type SeenBar } from './bar.ts'
import { lastTradingDay } from './calendar.ts'
import { showDay, showSpan } from '#domain/day.ts'
import { type Prediction, type Statement } from '#domain/claim/prediction.ts'
import { levelsOf, type Claim } from '#domain/claim/claim.ts'
import { showClaim } from '#domain/claim/text.ts'
import { showUsd } from '#domain/price-text.ts'
import { type JudgeMode, type Outcome, type PricePoint, type Verdict } from './verdict.ts'

/** The word on a card: SUCCESS, MISS, PENDING or VOID (public-site.md §4). */
export function outcomeWord(outcome: Outcome): string {
  switch (outcome) {
    case 'hit':
      return 'SUCCESS'
    case 'miss':
      return 'MISS'
    case 'pending':
      return 'PENDING'
    case 'void':
      return 'VOID'
  }
}

/**
 * What will decide the statement: `Hit if BTC trades at or above $150,000 from 10/12/2025 to the end of 31/12/2026 UTC.`
 * With a verdict it knows from which side the level has to be reached.
 */
export function ruleSentence(
  statement: Statement,
  mode: JudgeMode,
  direction: Verdict['direction'] | null,
  window: Verdict['window'],
): string {
  const { symbol } = ASSETS[statement.asset]
  const trades = mode === 'touch' ? 'trades' : 'closes a day'
  const level = showClaim(statement.claim)
  const end = endOf(statement.asset, window)
  const span = `from ${showDay(window.from)} to ${end}`
  switch (statement.claim.type) {
    case 'target':
      return `Hit if ${symbol} ${trades} at or ${direction === 'down' ? 'below' : 'above'} ${level} ${span}.`
    case 'range':
      return direction === 'inside'
        ? `The price was already in the range when this was said, so the last close decides: hit if ${symbol} closes inside ${level} at ${end}.`
        : `Hit if ${symbol} ${trades} inside ${level} ${span}.`
    case 'by-date':
      return direction === 'inside'
        ? `The price was already at or above the minimum when this was said, so the last close decides: hit if ${symbol} closes at or above ${level} at ${end}.`
        : `Hit if ${symbol} ${trades} at or above ${level} ${span}.`
    case 'top':
      return `Hit if ${symbol} never ${trades} above ${level} ${span}.`
    case 'bottom':
      return `Hit if ${symbol} never ${trades} below ${level} ${span}.`
  }
}

/** The rule that judges a prediction, and its result so far, in words. */
export function sentencesOf(prediction: Prediction): {
  readonly rule: string
  readonly sentences: { readonly touch: string; readonly close: string }
} {
  const { direction, window } = prediction.verdicts.touch
  return {
    rule: ruleSentence(prediction, 'touch', direction, window),
    sentences: {
      touch: verdictSentence(prediction, 'touch'),
      close: verdictSentence(prediction, 'close'),
    },
  }
}

function endOf(asset: AssetKey, window: Verdict['window']): string {
  const { calendar } = ASSETS[asset]
  return calendar === 'every-day'
    ? `the end of ${showDay(window.to)} UTC`
    : `the New York close of ${showDay(lastTradingDay(calendar, window.to))}`
}

/**
 * What decided a prediction, with its evidence: `First touched $100,000 on 05/12/2024: high $103,647; said 13 months
 * earlier.`
 */
export function verdictSentence(prediction: Prediction, mode: JudgeMode): string {
  const verdict = prediction.verdicts[mode]
  const { claim } = prediction
  const level = showClaim(claim)
  const when = verdict.day === null ? '' : showDay(verdict.day)
  switch (verdict.reason) {
    case 'reached': {
      const did = claim.type === 'range' ? 'entered' : mode === 'touch' ? 'touched' : 'closed at'
      const beyond = mode === 'close' && claim.type !== 'range' ? beyondWord(verdict) : ''
      return `First ${did} ${beyond}${level} on ${when}: ${barText(verdict)}; ${lead(prediction, verdict)}.`
    }
    case 'closed-inside':
      return `The last close of the window, ${closeText(verdict)} on ${when}, ${insideText(claim)}.`
    case 'closed-outside':
      return `The last close of the window, ${closeText(verdict)} on ${when}, ${outsideText(claim)}.`
    case 'held':
      return `${claim.type === 'top' ? 'Never above' : 'Never below'} ${level} up to ${when}${nearestText(verdict, mode)}.`
    case 'not-reached':
      return `${level} was not ${claim.type === 'range' ? 'entered' : 'reached'} by ${when}${nearestText(verdict, mode)}.`
    case 'broken':
      return `${claim.type === 'top' ? 'Exceeded' : 'Undercut'} ${level} on ${when}: ${barText(verdict)}; ${lead(prediction, verdict)}.`
    case 'not-started':
      return `Counts from ${showDay(verdict.window.from)} to ${showDay(verdict.window.to)}.`
    case 'open':
      return `Open until ${showDay(verdict.window.to)}${nearestText(verdict, mode)}.`
    case 'awaiting-prices':
      return `Awaiting prices: not every day up to ${showDay(verdict.window.to)} is known yet${nearestText(verdict, mode)}.`
    case 'already-true':
      return `Void: already true. The price was at ${level} when this was said.`
    case 'already-broken':
      return `Void: already broken. The price was at ${verdict.reference ? showUsd(verdict.reference.usd) : 'a level'} ${claim.type === 'top' ? 'above' : 'below'} ${level} when this was said.`
    case 'overridden':
      return `Decided by an administrator; the reason is in the history.`
  }
}

/** A level from before a split in today's units: `said $1,800 = $180 today`; null without a split since. */
export function splitNote(prediction: Prediction): string | null {
  return prediction.splitFactor === 1
    ? null
    : `said ${showClaim(prediction.said)} = ${showClaim(prediction.claim)} today`
}

/** How far the nearest price stayed from the level, in per cent of the level; null without one. */
export function missedBy(verdict: Verdict): number | null {
  if (!verdict.nearest) return null
  const { usd } = verdict.nearest
  const { min, max } = verdict.level
  const edge = usd < min ? min : usd > max ? max : usd
  return (Math.abs(usd - edge) / edge) * 100
}

function beyondWord(verdict: Verdict): string {
  return verdict.direction === 'down' ? 'or below ' : 'or above '
}

/** How long before it was said, no more precise than that day is known: `said 13 months earlier`, `said in Feb 2024`. */
function lead({ made, madePrecision }: Prediction, verdict: Verdict): string {
  if (madePrecision !== 'day') return `said in ${showDay(made, madePrecision)}`
  return verdict.day === null ? '' : `said ${showSpan(verdict.day - made)} earlier`
}

function barText({ bar, mode, direction }: Verdict): string {
  if (!bar) return ''
  if (mode === 'close') return `close ${showUsd(bar.close)}`
  if (bar.high === null) return `${endWord(bar)} ${showUsd(bar.close)}, close-only`
  const up = direction === 'up' || direction === 'never-above'
  const text = up ? `high ${showUsd(highOf(bar))}` : `low ${showUsd(lowOf(bar))}`
  return bar.moving ? `${text} so far` : text
}

/** The prices of a bar: `open $84,000, high $86,100, low $83,900, close $85,600`; of a day that is not over, so far. */
export function showBar(bar: SeenBar): string {
  const { open, high, low, close } = bar
  const parts = [
    open !== null && `open ${showUsd(open)}`,
    high !== null && `high ${showUsd(high)}`,
    low !== null && `low ${showUsd(low)}`,
    `${endWord(bar)} ${showUsd(close)}`,
  ]
  return `${parts.filter(Boolean).join(', ')}${bar.moving ? ' (so far)' : ''}`
}

/** The price when something was said: `$84,000 at the close of 20/11/2026`. */
export function showReference({ usd, day, moving }: PricePoint): string {
  const when = showDay(day)
  return moving
    ? `${showUsd(usd)}, last price of ${when} so far`
    : `${showUsd(usd)} at the close of ${when}`
}

/** A day that is not over has no close. */
function endWord({ moving }: { readonly moving?: true }): string {
  return moving ? 'last price' : 'close'
}

function closeText({ bar }: Verdict): string {
  return bar ? showUsd(bar.close) : 'unknown'
}

function insideText(claim: Claim): string {
  return claim.type === 'range'
    ? `was inside ${showClaim(claim)}`
    : `was at or above ${showClaim(claim)}`
}

function outsideText(claim: Claim): string {
  const { min } = levelsOf(claim)
  return claim.type === 'range' ? `was outside ${showClaim(claim)}` : `was below ${showUsd(min)}`
}

/** How near the price came; `so far` while it may still come nearer. */
function nearestText(verdict: Verdict, mode: JudgeMode): string {
  const { nearest } = verdict
  if (!nearest) return ''
  const end = verdict.outcome === 'pending' ? 'so far ' : 'in the window '
  const what =
    verdict.direction === 'inside'
      ? `last ${nearest.moving ? 'price' : 'close'} `
      : `${extremeText(verdict, mode)} ${end}`
  return `; ${what}${showUsd(nearest.usd)} on ${showDay(nearest.day)}`
}

function extremeText({ direction }: Verdict, mode: JudgeMode): string {
  const most = direction === 'up' || direction === 'never-above' ? 'highest' : 'lowest'
  return `${most} ${mode === 'close' ? 'close' : 'price'}`
}
