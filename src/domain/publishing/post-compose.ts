import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { timingOf, type Claim, type ClaimType, type Timing } from '#domain/claim/claim.ts'
import { type Prediction, splitNote } from '#domain/claim/prediction.ts'
import { showClaim, DATE_WORD } from '#domain/claim/text.ts'
import { showDay, type Day } from '#domain/day.ts'
import { shortVerdictSentence } from '#domain/judging/verdict-text.ts'
import { decidesAtEnd, mustHold, outcomeWord } from '#domain/judging/verdict.ts'
import {
  BLUESKY_LIMIT,
  graphemes,
  postWeight,
  SHORT_POST,
  measurePost,
  MOST_CASHTAGS,
} from './post-length.ts'
import { type SocialNetwork } from './social-post.ts'

/** Subject of a post: a new prediction or its verdict. */
export type PostNews = 'prediction' | 'verdict'

type Composing = {
  readonly network: SocialNetwork
  /** Address of the prediction's page; null omits the link, which is much cheaper on X. */
  readonly link: string | null
}

/**
 * Composes a post about a prediction from the public record. It weighs at most 280 on X and has at most 300 graphemes
 * with its link on Bluesky, contains at most one cashtag, and outside X says that a handle is on X. A new prediction
 * already decided by prices is posted with its outcome.
 *
 * @returns null if there is nothing to post: the verdict of an open prediction, or a void one as a new prediction
 */
export function composePost(prediction: Prediction, news: PostNews, on: Composing): string | null {
  const { outcome } = prediction.verdicts.touch
  if (outcome === 'pending') {
    return news === 'verdict'
      ? null
      : fitted(prediction, 'On record', ['It will be judged by prices, in public.'], on)
  }
  if (outcome === 'void' && news === 'prediction') return null
  const evidence = shortVerdictSentence(prediction, 'touch')
  return fitted(prediction, outcomeWord(outcome), [evidence], on)
}

/**
 * Composes a post about a correction, with the limits of `composePost`.
 *
 * @param words the correction and its reason, from the public history
 */
export function composeCorrection(prediction: Prediction, words: string, on: Composing): string {
  // A reason may have any length, and contain links, mentions and cashtags that would become live.
  const plain = words
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[$@#＠＃](?=[\p{L}_])|\p{Bidi_Control}/gu, '')
    .replaceAll(/(?<=\p{L})\.(?=\p{L})|:\/\//gu, ' ')
  const parts = plain.split(' ')
  const shorter = parts.map((_, left) => `${parts.slice(0, parts.length - left - 1).join(' ')}…`)
  return fitted(prediction, 'Correction', [plain, ...shorter.slice(0, -1)], on)
}

/** The first variant that fits: with the handle, with each evidence in turn, without, with a shortened name. */
function fitted(
  prediction: Prediction,
  title: string,
  evidence: readonly string[],
  { network, link }: Composing,
): string {
  const { symbol } = ASSETS[prediction.asset]
  const about = `${network === 'x' ? '$' : ''}${symbol} ${claimText(prediction)} ${deadlineText(prediction)}`
  const split = splitNote(prediction)
  const { made, madePrecision } = prediction
  // Never “today”, as posts are sent and read later.
  const dateWords = `${madePrecision === 'day' ? 'on' : 'in'} ${showDay(made, madePrecision)}`
  const build = (who: string, words: string | null) =>
    [
      `${title}: ${who} said ${dateWords} that ${about}.`,
      words,
      split === null ? null : `(${split.replace(/ today$/, ' after the split')})`,
      link,
    ]
      .filter((part) => part !== null)
      .join('\n\n')
  const name = nameText(prediction)
  const fits = (text: string): boolean =>
    network === 'bluesky' ? graphemes(text) <= BLUESKY_LIMIT : postWeight(text) <= SHORT_POST
  const full = build(whoText(prediction, network), evidence[0] ?? null)
  const text = [full, ...evidence.map((words) => build(name, words)), build(name, null)].find(fits)
  if (text !== undefined) return text
  // Only names have unlimited length.
  let short = Array.from(new Intl.Segmenter('en').segment(name), (one) => one.segment)
  while (short.length > 1 && !fits(build(`${short.join('')}…`, null))) short = short.slice(0, -1)
  return build(`${short.join('')}…`, null)
}

function whoText(prediction: Prediction, network: SocialNetwork): string {
  const name = nameText(prediction)
  const handle = /^@?(\w{1,15})$/.exec(prediction.expert.handle?.trim() ?? '')?.[1]
  if (handle === undefined) return name
  return network === 'x' ? `${name} (@${handle})` : `${name} (@${handle} on X)`
}

/** The name, or the slug if the name has no usable character. */
function nameText({ expert }: Prediction): string {
  return clean(expert.name) || expert.slug
}

/** A name on one line, without cashtags, links, mentions or bidirectional controls. */
function clean(name: string): string {
  return name
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[$@#＠＃\p{Bidi_Control}]/gu, '')
    .replaceAll(/(?<=\S)\.(?=\S)/g, ' ')
    .trim()
}

function claimText({ statedClaim, verdicts }: Prediction): string {
  const level = showClaim(statedClaim)
  switch (verdicts.touch.direction) {
    case 'up':
      if (statedClaim.type === 'range') return `gets into ${level}`
      return statedClaim.type === 'target' ? `reaches ${level}` : `reaches at least ${level}`
    case 'down':
      return statedClaim.type === 'range' ? `gets into ${level}` : `falls to ${level}`
    case 'above':
      return `is at ${level} or above`
    case 'below':
      return `is at ${level} or below`
    case 'inside':
      return `is in ${level}`
    case 'stays':
      return `stays in ${level}`
    case 'never-above':
      return `never goes above ${level}`
    case 'never-below':
      return `never falls below ${level}`
  }
}

/** By a day, until a day, or at the end of a day, depending on the claim. */
function deadlineText({ made, from, by, byPrecision, deadlineAssumed, verdicts }: Prediction) {
  const day = `${byPrecision === 'day' ? '' : 'the end of '}${showDay(by, byPrecision)}`
  const isNever = mustHold(verdicts.touch.direction)
  const isInside = decidesAtEnd(verdicts.touch.direction)
  const end = isNever
    ? `until ${day}`
    : isInside
      ? `at the end of ${showDay(by, byPrecision)}`
      : `by ${day}`
  if (deadlineAssumed) return `(no date named; judged ${end})`
  if (from === null || from <= made || isInside) return end
  return isNever ? `from ${showDay(from)} ${end}` : `between ${showDay(from)} and ${day}`
}

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
