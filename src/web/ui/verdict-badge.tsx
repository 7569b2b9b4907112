import { type ReactNode } from 'react'
import { type ClaimType } from '#domain/claim/claim.ts'
import { type Outcome, outcomeWord } from '#domain/judging/verdict.ts'
import { classNames } from './primitives.tsx'
import css from './verdict-badge.module.css'

/**
 * The sign of an outcome: a filled circle with a tick or cross, a hollow diamond, a dashed ring. Shapes distinguish
 * outcomes without colour.
 */
export function VerdictSign({ outcome }: { readonly outcome: Outcome }) {
  return (
    <svg className={css.sign} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {(outcome === 'hit' || outcome === 'miss') && (
        <>
          <circle cx="8" cy="8" r="7" fill="currentColor" />
          <path
            d={outcome === 'hit' ? 'm4.8 8.3 2.2 2.2 4.2-4.6' : 'm5.5 5.5 5 5m0-5-5 5'}
            fill="none"
            stroke="var(--surface)"
            strokeWidth="1.8"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </>
      )}
      {outcome === 'pending' && (
        <path d="M8 1.8 14.2 8 8 14.2 1.8 8Z" fill="none" stroke="currentColor" strokeWidth="1.8" />
      )}
      {outcome === 'void' && (
        <circle
          cx="8"
          cy="8"
          r="6.2"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeDasharray="2.6 2.2"
        />
      )}
    </svg>
  )
}

/** SUCCESS, MISS, PENDING or VOID with its sign. `stamp` is the large version on a prediction's page. */
export function VerdictBadge({
  outcome,
  stamp = false,
}: {
  readonly outcome: Outcome
  readonly stamp?: boolean
}) {
  return (
    <span
      className={classNames('outcome', stamp ? css.stamp : 'pill small')}
      data-outcome={outcome}
    >
      <VerdictSign outcome={outcome} />
      {outcomeWord(outcome)}
    </span>
  )
}

/** An icon for each kind of claim. */
const SIGNS: Readonly<Record<ClaimType, ReactNode>> = {
  target: (
    <>
      <circle cx="8" cy="8" r="6" />
      <circle cx="8" cy="8" r="1.5" fill="currentColor" />
    </>
  ),
  range: <path d="M3 3h10M3 13h10M8 5v6" />,
  'by-date': <path d="M3 13h10M8 10V3M5 6l3-3 3 3" />,
  top: <path d="M3 3h10M8 13V6M5 9l3-3 3 3" />,
  bottom: <path d="M3 13h10M8 3v7M5 7l3 3 3-3" />,
}

export function ClaimSign({ type }: { readonly type: ClaimType }) {
  return (
    <svg
      className="muted"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {SIGNS[type]}
    </svg>
  )
}
