/** Whole votes without decimals: calls that say the same share one. */
export function showVotes(votes: number): string {
  return String(Number(votes.toFixed(1)))
}

export function showShare(share: number): string {
  return `${String(Math.round(100 * share))} %`
}

/** `1.7`, of a logarithm of odds. */
export function showOdds(log: number): string {
  return Math.exp(log).toFixed(1)
}

/** `3 of 8 came true` */
export function timeIsUpText({ hits, n }: { readonly hits: number; readonly n: number }): string {
  return n === 0 ? 'None decided yet' : `${showVotes(hits)} of ${showVotes(n)} came true`
}

/** `Luck does as well 15 times of 100.` @param p the chance that it does */
export function asWellText(p: number): string {
  const times = Math.round(100 * p)
  const often =
    p < 0.01
      ? 'less than once in 100 times'
      : times === 1
        ? 'once in 100 times'
        : `${String(times)} times of 100`
  return `Luck does as well ${often}.`
}

/** `3 where luck expects 2.5` */
export function againstLuckText({
  votes,
  observed,
  expected,
}: {
  readonly votes: number
  readonly observed: number
  readonly expected: number
}): string {
  if (votes === 0) return 'No call to compare yet'
  // Open calls of which luck expects nothing yet.
  if (observed === 0 && expected < 0.05) return 'Too early to compare'
  return `${showVotes(observed)} where luck expects ${expected.toFixed(1)}`
}
