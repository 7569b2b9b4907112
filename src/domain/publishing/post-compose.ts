import { ASSETS } from '#domain/asset.ts'
import { showDay, showSpan, type Day } from '#domain/day.ts'
import { postWeight, SHORT_POST } from './post-length.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { showClaim } from '#domain/claim/text.ts'
import { type SocialNetwork } from './social-post.ts'
import { outcomeWord, shortVerdictSentence, splitNote } from '#domain/judging/verdict-text.ts'

/** What a post is about: a new prediction, or its verdict. */
export type PostNews = 'prediction' | 'verdict'

/**
 * The text of a post about a prediction, made from the public record only. It weighs at most 280 and has at most one
 * cashtag; on Nostr, where a handle of X means nothing, it says that the handle is on X.
 *
 * @param today for "said 14 months ago"
 * @param link to the prediction's page; null leaves it out, which is much cheaper on X
 * @returns null when there is nothing to post: the verdict of an open prediction
 */
export function composePost(
  prediction: Prediction,
  news: PostNews,
  {
    network,
    today,
    link,
  }: { readonly network: SocialNetwork; readonly today: Day; readonly link: string | null },
): string | null {
  const { outcome } = prediction.verdicts.touch
  if (news === 'verdict' && outcome === 'pending') return null
  const { symbol } = ASSETS[prediction.asset]
  const about = `${network === 'x' ? '$' : ''}${symbol} ${claimText(prediction)} ${deadlineText(prediction)}`
  const split = splitNote(prediction)
  const tail = [split === null ? null : `(${split})`, link].filter((part) => part !== null)
  const build = (who: string, evidence: string | null): string => {
    const said = saidText(prediction, today)
    const lines =
      news === 'verdict'
        ? [`${outcomeWord(outcome)}: ${who} said ${said} that ${about}.`, evidence]
        : [`On record: ${who} said ${said} that ${about}.`, evidence]
    return [...lines, ...tail].filter((line) => line !== null).join('\n\n')
  }
  const evidence =
    news === 'verdict'
      ? shortVerdictSentence(prediction, 'touch')
      : outcome === 'pending'
        ? 'It will be judged by prices, in public.'
        : null
  const who = whoText(prediction, network)
  const name = nameText(prediction)
  for (const text of [build(who, evidence), build(name, evidence), build(name, null)]) {
    if (postWeight(text) <= SHORT_POST) return text
  }
  // Only names can have any length.
  let short = Array.from(new Intl.Segmenter('en').segment(name), (one) => one.segment)
  while (short.length > 1 && postWeight(build(`${short.join('')}…`, null)) > SHORT_POST) {
    short = short.slice(0, -1)
  }
  return build(`${short.join('')}…`, null)
}

function whoText(prediction: Prediction, network: SocialNetwork): string {
  const name = nameText(prediction)
  const handle = /^@?(\w{1,15})$/.exec(prediction.expert.handle?.trim() ?? '')?.[1]
  if (handle === undefined) return name
  return network === 'x' ? `${name} (@${handle})` : `${name} (@${handle} on X)`
}

/** The name, or the slug of a name that has no usable character. */
function nameText({ expert }: Prediction): string {
  return clean(expert.name) || expert.slug
}

/** A name on one line, which is no cashtag, link or mention, and does not change the direction of other words. */
function clean(name: string): string {
  return name
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[$@#＠＃\p{Bidi_Control}]/gu, '')
    .replaceAll(/(?<=\S)\.(?=\S)/g, ' ')
    .trim()
}

/** "14 months ago", no more precise than the day is known. */
function saidText({ made, madePrecision }: Prediction, today: Day): string {
  if (madePrecision !== 'day') return `in ${showDay(made, madePrecision)}`
  const days = today - made
  if (days <= 0) return 'today'
  return days === 1 ? 'yesterday' : `${showSpan(days)} ago`
}

function claimText({ said, verdicts }: Prediction): string {
  const level = showClaim(said)
  const { direction } = verdicts.touch
  switch (said.type) {
    case 'target':
      return direction === 'down' ? `falls to ${level}` : `reaches ${level}`
    case 'range':
      return direction === 'inside' ? `is in ${level}` : `gets into ${level}`
    case 'by-date':
      return direction === 'inside' ? `is at ${level} or above` : `reaches at least ${level}`
    case 'top':
      return `never goes above ${level}`
    case 'bottom':
      return `never falls below ${level}`
  }
}

/** By a day, until a day, or at the end of a day, as the claim needs it. */
function deadlineText({
  said,
  made,
  from,
  by,
  byPrecision,
  deadlineAssumed,
  verdicts,
}: Prediction): string {
  const day = `${byPrecision === 'day' ? '' : 'the end of '}${showDay(by, byPrecision)}`
  const isNever = said.type === 'top' || said.type === 'bottom'
  const isInside = verdicts.touch.direction === 'inside'
  const end = isNever
    ? `until ${day}`
    : isInside
      ? `at the end of ${showDay(by, byPrecision)}`
      : `by ${day}`
  if (deadlineAssumed) return `(no date named; judged ${end})`
  if (from === null || from <= made || isInside) return end
  return isNever ? `from ${showDay(from)} ${end}` : `between ${showDay(from)} and ${day}`
}
