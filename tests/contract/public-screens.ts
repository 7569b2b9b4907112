/* Rows for visitors that only a browser with scripts shows. */

type Named = readonly (readonly [key: string, name: string])[]

export const FRAMES: Named = [
  ['9 time frame of everything', 'ALL'],
  ['9 time frame of a year', '1Y'],
  ['9 time frame of two years', '2Y'],
  ['9 time frame of three years', '3Y'],
  ['9 time frame of five years', '5Y'],
]

export const OUTCOMES: Named = [
  ['4 a hit in the legend', 'HIT'],
  ['4 a miss in the legend', 'MISS'],
  ['4 an open one in the legend', 'PENDING'],
]

/** Of Bitcoin with nothing drawn, USD. */
export const AXIS = { lowest: -1_000, top: 200_000 }

export const FILTERS: Named = [
  ['4 All draws all', 'All'],
  ['4 Successful draws hits', 'Successful'],
  ['4 Miss draws misses', 'Miss'],
  ['4 Pending draws open ones', 'Pending'],
]

export const FORM_FIELDS: Named = [
  ['3 expert_name', 'Expert name'],
  ['3 twitter_handle', 'X handle'],
  ['3 nostr_npub', 'Nostr public key'],
  ['3 prediction_type', 'Prediction type'],
  ['3 price_target', 'Price target'],
  ['3 target_time', 'Target date'],
  ['3 submitter_email', 'Your email'],
  ['3 source_url', 'Source address'],
  ['3 notes', 'Notes'],
]

export const TYPES = [
  'Target: exact price',
  'Range: min to max',
  'Price by: minimum price by a date',
  'Top: price ceiling (never above)',
  'Bottom: price floor (never below)',
]

export const FIRST_FAULTS = [
  'Please enter the name of the person who made this prediction.',
  'Please enter the price target.',
  'Please enter when this price is predicted to be reached.',
]

export const NO_INVOICE = 'Failed to create payment invoice. Please try again.'
export const COPIED = 'Lightning invoice copied to clipboard!'
export const WAITING: Named = [
  ['4 waiting', 'Waiting for payment...'],
  ['4 the invoice', 'lnbcrt'],
  ['8 copy', 'Copy invoice'],
  ['4 cancel', 'Cancel'],
]

/** Milliseconds. */
export const TIMERS = {
  poll: ['9 pause between polls', 2_000],
  copied: ['8 Copied! reverts', 2_000],
  received: ['9 success screen after the payment', 2_000],
  thanks: ['9 the box closes after its thanks', 1_500],
} as const

export const NOTIFY: Named = [
  ['4 contact', 'Email or LNURL'],
  ['4 notify', 'Notify Me!'],
  ['4 skip', 'Skip'],
]

/** Minimum width of a layout that is not a phone's. */
export const WIDTHS = [
  ['2 a phone below 768 px', 767, true],
  ['2 a tablet from 768 px', 768, false],
  ['2 a tablet to 1023 px', 1_023, false],
  ['2 a desk from 1024 px', 1_024, false],
] as const

export const PHONE_BAR: Named = [
  ['2 bar: menu', 'Menu'],
  ['2 bar: reset', 'Reset'],
]

/** The steps of the status button on a phone. */
export const CYCLE: Named = [
  ['4 from all to hits', 'Successful'],
  ['4 to misses', 'Miss'],
  ['4 to open ones', 'Pending'],
  ['4 back to all', 'All'],
]

export const MENU: Named = [
  ['2 menu: Bitcoin', 'Bitcoin (BTC)'],
  ['2 menu: MSTR', 'Strategy (MSTR)'],
  ['2 menu: NAKA', 'Nakamoto Games (NAKA)'],
  ['2 menu: refresh', 'Refresh'],
]
