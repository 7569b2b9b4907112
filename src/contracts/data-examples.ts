/** A call that other programs make, and what it is for. */
export type DataExample = { readonly about: string; readonly path: string }

/** Calls to begin with; each of them works as it stands. */
export const DATA_EXAMPLES: readonly DataExample[] = [
  { about: 'The predictions of the newest snapshot', path: '/data/latest/predictions.csv' },
  { about: 'All snapshots, with the checksums of their files', path: '/api/v1/snapshots' },
  { about: 'Bitcoin calls that missed, as the page lists them', path: '/btc.csv?status=miss' },
  { about: 'What the columns of that file mean', path: '/btc.metadata.json?status=miss' },
  { about: 'Everybody compared with luck', path: '/experts.json' },
  { about: 'Every Bitcoin call with both verdicts and their evidence', path: '/api/predictions' },
  {
    about: 'Everybody’s scores by daily closes, with each call',
    path: '/api/v1/scores?mode=close',
  },
  { about: 'A description of all calls, for programs (OpenAPI)', path: '/api/openapi.json' },
]
