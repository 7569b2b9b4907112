import { type Outcome } from '#domain/judging/verdict.ts'

/** The sign of an outcome as on the chart, for use in texts; the style sheet colours it by `data-outcome`. */
export function OutcomeSign({ outcome }: { readonly outcome: Outcome }) {
  return (
    <svg
      className="outcome-sign"
      data-outcome={outcome}
      viewBox="-8 -8 16 16"
      width="14"
      height="14"
      aria-hidden="true"
    >
      {bodyOf(outcome)}
    </svg>
  )
}

function bodyOf(outcome: Outcome) {
  switch (outcome) {
    case 'hit':
      return (
        <>
          <circle r="7" className="sign-fill" />
          <path d="M-3.2.3-.8 2.8 3.4-2.5" className="sign-mark" />
        </>
      )
    case 'miss':
      return (
        <>
          <circle r="7" className="sign-fill" />
          <path d="M-2.6-2.6 2.6 2.6M2.6-2.6-2.6 2.6" className="sign-mark" />
        </>
      )
    case 'pending':
      return <path d="M0-6.6 6.6 0 0 6.6-6.6 0Z" className="sign-ring" />
    case 'void':
      return <circle r="6" strokeDasharray="3 2.6" className="sign-ring" />
  }
}
