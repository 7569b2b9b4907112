import { DATE_WORD, showClaim } from '#domain/claim/text.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showDay, type Day } from '#domain/day.ts'
import { measurePost, MOST_CASHTAGS } from '#domain/publishing/post-length.ts'
import { timingOf, type Claim, type ClaimType, type Timing } from '#domain/claim/claim.ts'

export type ProposalFacts = {
  readonly expert: string
  readonly handle: string | null
  readonly asset: AssetKey
  readonly claim: Claim
  readonly by: Day | null
  /** The day of the prediction. */
  readonly made: Day | null
  /** The words of the post that contain the level. */
  readonly words: string | null
}

export type Proposal = { readonly style: string; readonly text: string }

const LONGEST_WORDS = 140

/**
 * Texts for a post about a new prediction, written without a model: two or three styles of at most 280 characters as X
 * counts them. They contain no link, which costs more on X, and no more cashtags than X allows.
 */
export function proposalsOf(facts: ProposalFacts): readonly Proposal[] {
  const { name } = ASSETS[facts.asset]
  const handle = facts.handle?.replace(/^@/, '') ?? ''
  const who = handle === '' ? facts.expert : `${facts.expert} (@${handle})`
  const on = facts.made === null ? '' : ` on ${showDay(facts.made)}`
  const what = `${name} ${verbOf(facts.claim)} ${showClaim(facts.claim)}`
  const until =
    facts.by === null
      ? ' No deadline was named.'
      : ` ${DATE_WORD[timingOf(facts.claim)]} ${showDay(facts.by)}`
  const sentence = facts.by === null ? `${what}.${until}` : `${what}${until}.`
  const words = facts.words?.replaceAll(/\s+/g, ' ').trim() ?? ''
  const proposals = [
    {
      style: 'report',
      text: `${who} said${on}: ${sentence} Now on record, to be judged by prices.`,
    },
    { style: 'short', text: `${facts.expert}: ${sentence}` },
    ...(words === '' || words.length > LONGEST_WORDS
      ? []
      : [{ style: 'quote', text: `"${words}" \u2013 ${who}${on}, about ${name}.` }]),
  ]
  return proposals.filter(({ text }) => {
    const { isLong, links, cashtags } = measurePost(text)
    return !isLong && links.length === 0 && cashtags.length <= MOST_CASHTAGS
  })
}

const BY = {
  target: 'reaches',
  range: 'trades within',
  'by-date': 'is at or above',
  top: 'never goes above',
  bottom: 'never goes below',
}
const VERBS: Readonly<Record<Timing, Readonly<Record<ClaimType, string>>>> = {
  by: BY,
  at_end: { ...BY, target: 'is at', top: 'is at or below', bottom: 'is at or above' },
  throughout: { ...BY, range: 'stays within', 'by-date': 'stays at or above' },
}

function verbOf(claim: Claim): string {
  const timing = timingOf(claim)
  if (claim.type === 'target' && timing === 'by' && claim.direction)
    return claim.direction === 'up' ? 'rises to' : 'falls to'
  return VERBS[timing][claim.type]
}
