import { type ReactNode } from 'react'

const PATHS = {
  'arrow-up': <path d="M12 19V5M6 11l6-6 6 6" />,
  bell: <path d="M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15ZM10 20.5h4" />,
  calendar: <path d="M4 6h16v14H4zM4 10.5h16M8.5 3v4M15.5 3v4" />,
  caret: <path d="m7 10 5 5 5-5" />,
  chart: <path d="m4 17 5-5 4 3 7-9M15 6h5v5" />,
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  close: <path d="M6 6l12 12M18 6 6 18" />,
  filter: <path d="M4 6h16M7 12h10M10 18h4" />,
  link: (
    <path d="M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1" />
  ),
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  moon: <path d="M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5Z" />,
  panel: <path d="M4 5h16v14H4zM14.5 5v14" />,
  pause: <path d="M8 5v14M16 5v14" />,
  people: (
    <>
      <circle cx="9" cy="8" r="3.5" />
      <path d="M3 19c.5-3.5 2.8-5 6-5s5.5 1.5 6 5M15.5 5a3.5 3.5 0 0 1 0 6.5M17.5 14.5c2 .5 3.2 2 3.5 4.5" />
    </>
  ),
  play: <path d="M7 5v14l12-7Z" />,
  plus: <path d="M12 5v14M5 12h14" />,
  refresh: <path d="M20 11a8 8 0 0 0-14-4.5L4 9M4 4v5h5M4 13a8 8 0 0 0 14 4.5l2-2.5M20 20v-5h-5" />,
  reset: <path d="M4 9h10a5 5 0 0 1 0 10H9M4 9l4-4M4 9l4 4" />,
  search: (
    <>
      <circle cx="11" cy="11" r="6" />
      <path d="m20 20-4.5-4.5" />
    </>
  ),
  sort: <path d="m8 10 4-4 4 4M8 14l4 4 4-4" />,
  'step-back': <path d="m15 6-6 6 6 6" />,
  'step-on': <path d="m9 6 6 6-6 6" />,
  sun: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4" />
    </>
  ),
} as const satisfies Readonly<Record<string, ReactNode>>

export type IconName = keyof typeof PATHS

/** An icon hidden from screen readers. */
export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {PATHS[name]}
    </svg>
  )
}
