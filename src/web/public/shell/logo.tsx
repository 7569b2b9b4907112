/** The mark: a price line that meets a stated level, and the tick of a verdict where they meet. Also in /favicon.svg. */
export function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--brand)" />
      <path d="M6 11h20" stroke="var(--on-brand)" strokeWidth="2" strokeDasharray="2.5 2.5" />
      <path
        d="m6 24 5-5 4 3 8-11"
        fill="none"
        stroke="var(--on-brand)"
        strokeWidth="2.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="23" cy="11" r="3.25" fill="var(--on-brand)" />
    </svg>
  )
}
