import { type AssetKey } from '#domain/asset.ts'
import { apart, type Span } from './plain.ts'

/** An asset that a post names: one of ours, or `other`. */
export type AssetMention = Span & { readonly asset: AssetKey | 'other' }

/** An unrelated company with the same name as the token. */
const COMPANY =
  /(?<!\w|satoshi )nakamoto(?= (?:inc|holdings|corp|stock|shares?)\b)|(?<=\b(?:company|firm|stock) )nakamoto(?!\w)/gi

/** Names of our assets. `Strategy` counts as the company only where it is unambiguous. */
const OURS: readonly (readonly [AssetKey, RegExp])[] = [
  [
    'btc',
    /(?<![\w/.])[#$]?(?:btc|xbt|bitcoins?)(?:[-/]?usd[tc]?)?(?![\w]|\/(?!usd)[a-z]|\.d\b|-(?:backed|denominated))/gi,
  ],
  ['btc', /₿(?! ?\d)|(?<![\w#])(?:orange coin|digital gold)(?!\w)/gi],
  ['mstr', /(?<!\w)[#$]?(?:mstr|micro ?strategy(?:'s)?)(?!\w)/gi],
  [
    'mstr',
    /(?<![\w$-]|[A-Za-z]\s)\$?Strategy(?='s (?:stock|shares?|price)| (?:stock|shares?|\(\$?MSTR\)|\$\d|to \$?\d|will (?:hit|reach|be|trade|go|close)|hits|(?:closes|trades|ends|finishes|reaches|breaks|crosses) (?:at |above |below |over |around )?\$?\d|(?:back )?(?:at|above|below|over|under) \$?\d|(?:is )?(?:going|heading) to \$?\d))/g,
  ],
  ['naka', /(?<!\w)(?:[#$]naka|NAKA|nakamoto ?games)(?!\w)/gi],
  ['naka', COMPANY],
]

/** Other assets with a price. Names that are also ordinary words must be capitalized. */
const OTHERS: readonly RegExp[] = [
  /(?<!\w)(?:bitcoin (?:cash|sv|gold|diamond)|btc[. ]?d\b|(?:btc|bitcoin)(?:'s)? dominance|eth\/?btc|[a-z]{2,5}\/btc)(?!\w)/gi,
  /(?<!\w)[#$]?(?:eth|ethereum|ether|xrp|ripple|solana|cardano|dogecoin|litecoin|polkadot|chainlink|avalanche|monero|shiba|shib|pepe|bnb|ltc|doge|avax|hbar|bch|bsv|altcoins?|alts|memecoins?)(?!\w)/gi,
  /(?<!\w)[#$]?(?:SOL|ADA|LINK|DOT|TRX|TON|SUI|XLM|XMR|HYPE|ETC|UNI|APT|NEAR|ATOM|ICP|KAS|TAO|ARB|OP|SPX|SPY|QQQ|NDX|DOW|Dow|DJIA|TSLA|NVDA|AAPL|(?<!\b(?:ONE|PER|EACH|THE|A|EVERY) )COIN|MARA|RIOT|GME|AMC|GBTC|IBIT|STRC|STRK|STRF|STRD|DXY|VIX|TOTAL\d?|OTHERS|XAU|XAG|WTI)(?!\w)/g,
  /(?<!\w)#?(?:gold|silver|platinum|copper|uranium|crude|oil|brent|s&p(?: ?500)?|s&    p(?: ?500)?|sp ?500|spx|nasdaq|dow jones|russell|tesla|nvidia|apple|coinbase|metaplanet|gamestop|microsoft|treasury yields?|the dollar index)(?!\w)/gi,
  /(?<!\w)(?!(?:BTC|XBT|THE|ONE|PER|EACH|EVERY|THIS|THAT|ORANGE|NAKA|WHOLE|SINGLE|FULL)\b)[A-Z]{3,10} (?:coin|COIN|token|TOKEN)(?!\w)/g,
  /(?<!\w)\$(?!btc|xbt|mstr|naka|usd)[a-z]{2,6}(?![\w])/gi,
]

/** Words around the name of another asset that make it a comparison, not the subject. */
const COMPARED_BEFORE =
  /\b(?:than|like|unlike|vs\.?|versus|digital|flip(?:s|ping|ped)?|overtakes?|outperforms?|replaces?|beats?|parity with(?: (?:private|all|physical|the))?|sell(?:ing)?|sold|accept|an?)\s+(?:the\s+)?$/i
const COMPARED_AFTER =
  /^(?:'s)?\s*(?:2\.0|standard|market ?cap|parity|mining|bugs?|path(?! to)|correlation|fractal|analog\w*|playbook)\b/i

/** All asset names in a text, in order. */
export function assetsIn(plain: string): readonly AssetMention[] {
  const others = OTHERS.flatMap((pattern) =>
    [...plain.matchAll(pattern)].map((match) => mention('other', match)),
  )
  const ours = OURS.flatMap(([asset, pattern]) =>
    [...plain.matchAll(pattern)].map((match) => mention(asset, match)),
  )
  return apart([...others, ...ours])
}

function mention(asset: AssetMention['asset'], match: RegExpExecArray): AssetMention {
  return { asset, start: match.index, end: match.index + match[0].length }
}

/** "Buys bitcoin", "a bitcoin treasury", "as bitcoin rips": part of a statement about another asset. */
const OWNED_BEFORE =
  /\b(?:buy(?:s|ing)?|bought|hold(?:s|ing)?|own(?:s|ing)?|stack(?:s|ing)?|acquir\w+|accumulat\w+|add(?:s|ing)?|hoard\w*|because(?: of)?|thanks to|love)\s+(?:more |its |the )?$/i
const OWNED_AFTER =
  /^(?:'s)?[ -](?:treasur\w+|holdings?|stack|stocks?|reserves?|compan\w+|stash|strategy|proxy|play|miner|yield|exposure|vehicle|bet|purchases?|rips|rallies|pumps|moons|per share|balance sheet)\b/i
const GOES = /^[^\w.;\n]{0,3}(?:\$?\d|(?:to|at|hits?|will|reach\w*|goes)\b)/i

/** Whether the mention is only part of a statement about another asset, such as its holder. */
export function isOwned(plain: string, { start, end }: AssetMention): boolean {
  const after = plain.slice(end, end + 24)
  const isOwnedBefore = OWNED_BEFORE.test(plain.slice(Math.max(0, start - 24), start))
  return OWNED_AFTER.test(after) || (isOwnedBefore && !GOES.test(after))
}

/** The name of bitcoin in other languages, in any inflection. */
export const BITCOIN_ELSEWHERE =
  /bit[ck]o[iï]n|bitcóin|бит(?:коин|кой|ок)|比特[币幣]|ビットコイン|비트코인|بيتكوين|बिट[ ]?कॉ[इय]न|ביטקוין|บิต?คอยน|μπιτκόιν/iu

/** Whether a text names the unrelated company. */
export function isCompany(plain: string): boolean {
  return plain.search(COMPANY) >= 0
}

/** Whether the other asset is only a comparison: "better than gold", "flips gold". */
export function isCompared(plain: string, { asset, start, end }: AssetMention): boolean {
  if (asset !== 'other') return false
  return (
    COMPARED_BEFORE.test(plain.slice(Math.max(0, start - 24), start)) ||
    COMPARED_AFTER.test(plain.slice(end, end + 16))
  )
}
