import { beforeLevel, DATE_WORD, showClaim } from '#domain/claim/text.ts'
import { timingOf, type Claim, type Timing } from '#domain/claim/claim.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type PredictionType, claimType } from '#domain/claim/fields.ts'

/** UTF-16 units; phoenixd has the lowest limit of all known wallets. */
const MOST = 128
const LONGEST_NAME = 48
const BEFORE_ID = ' · '

/** `Proof of Price: Jane Doe BTC $150,000 by 2027-12-31 · 1a2b3c4d` @param id of the payment; its first characters end the memo */
export function memoOf(
  submission: {
    readonly expertName: string
    readonly asset: AssetKey
    readonly predictionType: PredictionType
    readonly pricePrediction: string
    readonly timing: Timing
    /** Such as 2027-12-31. */
    readonly targetTime: string
  },
  id: string,
): string {
  const { asset, predictionType: type, pricePrediction, timing, targetTime } = submission
  const name = nameIn(submission.expertName)
  const what = `${ASSETS[asset].symbol} ${beforeLevel(claimType(type), timing)}${pricePrediction}`
  return memo(`${name} ${what} ${DATE_WORD[timing]} ${targetTime}`, id)
}

/** A memo for support: `Proof of Price: boost of Jane Doe BTC $150,000 · 1a2b3c4d`. @param of null for the site itself */
export function supportMemo(
  of: {
    readonly expert: { readonly name: string }
    readonly asset: AssetKey
    readonly statedClaim: Claim
  } | null,
  id: string,
): string {
  if (!of) return memo('support of the site', id)
  const what = `${ASSETS[of.asset].symbol} ${beforeLevel(of.statedClaim.type, timingOf(of.statedClaim))}${showClaim(of.statedClaim)}`
  return memo(`boost of ${nameIn(of.expert.name)} ${what}`, id)
}

function memo(text: string, id: string): string {
  return fitMemo(`Proof of Price: ${text}${BEFORE_ID}${id.slice(0, 8)}`, MOST)
}

function nameIn(name: string): string {
  return cut(name.replace(/[\s\p{Cc}]+/gu, ' ').trim(), LONGEST_NAME)
}

/** Shortens a memo to `most` UTF-16 units; the id at its end is cut last. */
export function fitMemo(memo: string, most: number): string {
  if (memo.length <= most) return memo
  const at = memo.lastIndexOf(BEFORE_ID)
  const id = at < 0 ? '' : memo.slice(at)
  return id.length < most ? cut(memo.slice(0, memo.length - id.length), most - id.length) + id : ''
}

/** As many whole characters as fit, with `…` if some are cut. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  let start = ''
  for (const character of text) {
    if (start.length + character.length > most - 1) break
    start += character
  }
  return `${start.trimEnd()}…`
}
