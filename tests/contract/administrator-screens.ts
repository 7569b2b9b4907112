/* Rows for administrators that only a browser with scripts shows. */

type Named = readonly (readonly [key: string, name: string])[]

export const LOGIN_FIELDS: Named = [
  ['2 login: username', 'Username'],
  ['2 login: password', 'Password'],
]
export const LOGIN = { empty: 'Please enter both username and password' }
/** The status of a reply, 0 for none, and the message shown. */
export const LOGIN_FAILURES = [
  [
    '8 login not found',
    404,
    'Login service is not available (404). Please check if the backend server is running.',
  ],
  [
    '8 login without a network',
    0,
    'Network error. Backend may not be running or could be on a different port.',
  ],
  ['8 login failed', 500, 'Login failed. Please try again.'],
] as const

export const TABS: Named = [
  ['2 tab', 'Pending'],
  ['2 tab', 'Approved'],
  ['2 tab', 'Rejected'],
  ['2 tab', 'All'],
  ['2 tab of posts', 'X Posts'],
  ['2 tab of extraction', 'Tweet Extraction'],
]

/** In this order, with other columns between them. */
export const BTC_COLUMNS = [
  'Expert',
  'Twitter',
  'Prediction',
  'Type',
  'Target Date',
  'Submitted',
  'Status',
  'Source',
  'Actions',
]
export const MSTR_COLUMNS = [
  'Expert Name',
  'MSTR Price Prediction',
  'Target Date',
  'Status',
  'Submitted',
  'Actions',
]
export const MSTR_FILTERS = [/^All/, /^Pending/, /^Approved/, /^Rejected/]

export const ROW_ACTIONS: Named = [
  ['2 view', 'View'],
  ['2 approve', 'Approve'],
  ['2 reject', 'Reject'],
]
export const MODES: Named = [
  ['2 mode: view', 'View'],
  ['2 mode: approve', 'Approve'],
  ['2 mode: reject', 'Reject'],
  ['2 mode: edit', 'Edit'],
]

export const EDIT_OPTIONS = [
  [
    '4 status',
    'Status',
    [
      'Pending - Awaiting Admin Review',
      'Approved - Ready for Publication',
      'Rejected - Not Suitable',
    ],
  ],
  [
    '4 outcome',
    'Prediction outcome',
    [
      'Pending - Awaiting target date',
      'Success - Hit target',
      'Miss - Failed',
      'Partial - Close but not exact',
      'Ongoing - Still in progress',
    ],
  ],
  [
    '9 types',
    'Prediction type',
    [
      'Target: exact price',
      'Range: min to max',
      'Price by: minimum price by a date',
      'Top: price ceiling (never above)',
      'Bottom: price floor (never below)',
    ],
  ],
] as const

export const EDIT = {
  saved: 'Data saved successfully!',
  failed: 'Error saving data. Please try again.',
}
export const MADE = {
  saved: 'Prediction date saved successfully!',
  failed: 'Error saving prediction date. Please try again.',
}
export const APPROVE = {
  refusal: { success: false, code: 'internal', error: 'It broke.', message: 'It broke.' },
  failed: 'Error approving submission: It broke.',
  done: 'Submission approved successfully! Switch to the Approved tab to see it.',
}
export const REJECTED = 'Submission rejected successfully!'

export const POST_LIMITS = [
  ['9 the dashboard takes 10,000', '/admin/dashboard?tab=posts', '10,000'],
  ['9 the panel takes 4,000', '/admin/publish', '4,000'],
] as const
export const NOSTR_KEY = 'public key npub10elfcs4fr0l0r8a…'
export const POST_BUTTONS: Named = [
  ['4 post on X', 'Post to X'],
  ['4 post on Nostr', 'Post to Nostr'],
  ['4 post on both', 'Post to X and Nostr'],
]

export const LINK_FAULTS = [
  ['5 no link', '', 'Please enter a tweet URL'],
  ['5 another link', 'https://example.org/a', 'Please enter a valid Twitter/X.com URL'],
] as const
export const NOT_EXTRACTED = 'Failed to extract tweet data. This feature may require API keys.'
export const EXTRACT_COLUMNS: Named = [
  ['2 column: the post', 'Raw Tweet Data'],
  ['2 column: what was read', 'AI Analysis'],
  ['2 column: the decision', 'Final Decision'],
]
/** Marked as required. */
export const DECISION_FIELDS: Named = [
  ['5 required', 'Expert Name *'],
  ['5 required', 'Price Prediction *'],
  ['5 required', 'Prediction Type *'],
  ['5 required', 'Target Date *'],
  ['5 required', 'Source URL *'],
]
export const DECISION_OPTIONS = [
  ['9 confidence', 'Confidence', ['low', 'medium', 'high']],
  ['9 asset', 'Asset Type', ['bitcoin', 'mstr', 'naka']],
  ['4 status', 'Status', ['pending', 'success', 'miss']],
] as const
export const REQUIRED = 'Please fill in required fields: Expert Name, Target Date'
export const SUBMITTED = /Prediction submitted successfully.*reviewed before going live/
/** Milliseconds. */
export const FORM_CLEARS = ['9 the form clears', 3_000] as const

export const QUEUE_COUNTS: Named = [
  ['2 count', 'total'],
  ['2 count', 'pending'],
  ['2 count', 'processing'],
  ['2 count', 'completed'],
  ['2 count', 'failed'],
]
export const QUEUE_COLUMNS = ['ID', 'Tweet URL', 'Expert', 'Status', 'Created', 'Actions']

export const LOAD_FAILURES = [
  [
    '8 Bitcoin submissions not loaded',
    '/admin/dashboard',
    'Failed to load submissions. Please make sure the backend server is running.',
  ],
  ['8 MSTR submissions not loaded', '/admin/mstr', 'Failed to fetch MSTR submissions'],
] as const
