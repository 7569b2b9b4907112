import { type SubmissionForm } from '#contracts/submissions.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { levelTexts, TIMING_NAMES } from '#domain/claim/claim-input.ts'
import { timingOf } from '#domain/claim/claim.ts'
import { predictionType } from '#domain/claim/fields.ts'
import { showClaim, typeLabel } from '#domain/claim/text.ts'
import { dayOfTime, isoDay, readDay, showDay, type Day } from '#domain/day.ts'
import { foreignLanguage } from '#domain/posts/language.ts'
import { CAUTION, whyNone, type PostPrediction } from '#domain/posts/post-reading.ts'
import { addressesIn, postTime, readPostUrl, type PostAddress } from '#domain/posts/post-url.ts'
import { readPost } from '#domain/posts/read-post.ts'
import { LONGEST } from '#domain/submission.ts'

/** English name of the language of a post; null for English. */
export function languageOf(text: string): Promise<string | null> {
  return foreignLanguage(
    withoutAddress(text).words,
    async () => (await import('eld/extrasmall')).eld,
  )
}

export type Pasted =
  /** `isLinkAlone`: only a link without text was pasted. */
  | { readonly found: false; readonly why: string; readonly isLinkAlone?: true }
  | {
      readonly found: true
      readonly fields: Partial<SubmissionForm>
      /** Each value with the words it came from. */
      readonly read: readonly {
        readonly name: string
        readonly value: string
        readonly words: string
      }[]
      readonly cautions: readonly string[]
    }

/**
 * Parses a pasted post; missing values stay empty.
 *
 * @param posted ISO date of the post; empty if unknown, unless the text contains the post's link
 */
export function readPasted({
  text,
  posted,
  asset,
  today,
  language = null,
}: {
  text: string
  posted: string
  asset: AssetKey
  today: Day
  language?: string | null
}): Pasted {
  const { words, address } = withoutAddress(text)
  if (words === '' && address !== null) {
    return { found: false, why: LINK_ALONE, isLinkAlone: true }
  }
  const made = readDay(posted) ?? dayOfPost(address)
  const reading = readPost(words, {
    posted: made === null ? null : { day: made, precision: 'day' },
    language,
  })
  if (!reading.found) return { found: false, why: whyNone(reading) }
  const all = [reading.prediction, ...reading.others]
  const own = all.find((one) => one.asset === asset)
  if (!own) {
    if (reading.prediction.cautions.includes('asset-assumed')) {
      return { found: false, why: whyNone(NO_ASSET) }
    }
    const [{ name: theirs }, { name: ours }] = [ASSETS[reading.prediction.asset], ASSETS[asset]]
    return { found: false, why: `The post is about ${theirs}; this form is for ${ours}.` }
  }
  const { claim, by, cautions } = own
  const { low, high, deadline, timing } = own.quotes
  const isAhead = by !== null && by > (made ?? today)
  return {
    found: true,
    fields: {
      prediction_type: predictionType(claim.type),
      ...levelTexts(claim),
      timing: timingOf(claim),
      ...(isAhead ? { target_time: isoDay(by) } : {}),
      ...(made === null ? {} : { prediction_made: isoDay(made) }),
      ...(address ? { source_url: address.url } : {}),
      ...(address?.handle ? { twitter_handle: address.handle } : {}),
      notes: quoted(words),
    },
    read: [
      {
        name: typeLabel(claim.type),
        value: showClaim(claim),
        words: low.words === high.words ? low.words : `${low.words} \u2026 ${high.words}`,
      },
      ...(isAhead && deadline
        ? [{ name: 'Target date', value: showDay(by), words: deadline.words }]
        : []),
      ...(timing
        ? [{ name: 'Must be true', value: TIMING_NAMES[timingOf(claim)], words: timing.words }]
        : []),
    ],
    cautions: [
      ...(by === null ? [made === null ? NO_DAY_YET : NO_DAY] : []),
      ...(by === null || isAhead ? [] : [overText(by, made)]),
      ...cautions.filter((one) => one !== 'no-deadline').map((one) => CAUTION[one]),
      ...othersText(all.filter((one) => one !== own)),
    ],
  }
}

const NO_ASSET = { found: false, why: 'no-asset', language: null, asset: null } as const
const LINK_ALONE =
  'This is only the link. Please paste the words of the post too: they are not fetched from X here.'
const NO_DAY = 'The post names no deadline. Please choose the target date.'
/** A relative date needs the day of posting. */
const NO_DAY_YET =
  'No target date was found. If the post says something like “by year end”, enter the day it was posted and read it again; if it names no deadline, choose the target date.'
const MOST_OTHERS = 3

function overText(by: Day, made: Day | null): string {
  return made === null
    ? `Its deadline, ${showDay(by)}, is over: enter the day it was posted and read it again, so that it is judged from then.`
    : `Its deadline, ${showDay(by)}, is not after the day it was posted, ${showDay(made)}.`
}

function othersText(others: readonly PostPrediction[]): readonly string[] {
  if (others.length === 0) return []
  const named = others.slice(0, MOST_OTHERS).map(({ asset, claim, by }) => {
    const deadline = by === null ? '' : ` by ${showDay(by)}`
    return `${ASSETS[asset].symbol} ${typeLabel(claim.type).toLowerCase()} ${showClaim(claim)}${deadline}`
  })
  const more = others.length > MOST_OTHERS ? ', and more' : ''
  return [`The post predicts more: ${named.join('; ')}${more}. Each needs its own submission.`]
}

function withoutAddress(text: string): { words: string; address: PostAddress | null } {
  for (const one of addressesIn(text, MOST_ADDRESSES)) {
    const address = readPostUrl(one)
    if (address) return { words: text.replace(one, ' ').trim(), address }
  }
  return { words: text.trim(), address: null }
}

const MOST_ADDRESSES = 50

function dayOfPost(address: PostAddress | null): Day | null {
  const ms = address === null ? null : postTime(address.id)
  return ms === null ? null : dayOfTime(ms)
}

function quoted(text: string): string {
  // Invisible characters such as NUL are not text.
  const words = text.replaceAll(/(?![\n\t])\p{Cc}/gu, '')
  const most = LONGEST.notes - 3
  return words.length <= most ? `"${words}"` : `"${words.slice(0, most)}\u2026"`
}
