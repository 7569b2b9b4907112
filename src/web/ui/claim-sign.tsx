import { type ClaimType } from '#domain/claim/claim.ts'
import { type ReactNode } from 'react'

/** One small drawing for each kind of claim; the date line says it in words. */
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
