import { amountsIn, type Amount } from './amounts.ts'
import { type DateMention } from './dates.ts'
import { firstEndingAfter, overlaps, type Span } from './plain.ts'
import { type NoPrediction } from './post-reading.ts'

/** A price in a post: one number, or two ends. USD. */
export type Level = Span & {
  readonly min: number
  readonly max: number
  readonly low: Span
  readonly high: Span
  readonly orMore: boolean
  /** Small, without currency or unit: perhaps a stock or token price, never bitcoin's. */
  readonly small: boolean
  /** Without dollar sign and unit. */
  readonly plain: boolean
  /** At most three digits, possibly thousands: "150-200". */
  readonly short: boolean
}

export type Levels = {
  readonly levels: readonly Level[]
  readonly refused: readonly (Span & { readonly why: NoPrediction })[]
}

/** Connectors between the ends of a range. */
const TO = /^\s?(?:-|to|~|\.\.|up to|all the way to)\s?(?:a\s|about\s|around\s|~\s?)?$/i
const AND = /^\s?(?:and|-|to|&)\s?(?:a\s|about\s|around\s|~\s?)?$/i
const ARROW = /^\s?(?:->|-->|=>|→|➡|➜|⟶|>>+)\s?$/
const BETWEEN =
  /\b(?:between|range (?:of|is|from)|ranging (?:from|between)|any(?:where|thing) (?:from|between)|somewhere (?:from|between))\s+(?:about\s|around\s|roughly\s|~\s?)?$/i
const FROM = /\bfrom\s+(?:about\s|around\s|roughly\s|~\s?|the\s|its\s|a\s|current\s)*$/i

/** "Doubles from here ($87k)", "double its price of $87k", "(now $87k)": today's price. */
const FROM_HERE =
  /\bfrom (?:here|now|(?:these|this|the current|current|today'?s?|present) ?(?:levels?|prices?|spot)?)\s*(?:[(@]|at|of|around|about|currently|now|~|\s)*$|\b(?:doubl(?:e|es|ing)|tripl(?:e|es|ing)|quadrupl\w+|halv(?:e|es|ing)|\d{1,3}x)[\s(]+(?:(?:its|the|this|today's|that|from|a|current|price|level|of|at|here)[\s(]+)*~?$|\(\s*(?:now|currently|today|spot|price|last)\b[\s:@]*(?:at\s)?~?$/i
const FROM_THERE =
  /^\s*(?:\(?(?:now|today|currently|atm|spot|right now)\s*\)|(?:right )?now(?=[,.;])|\)?,?\s*(?:(?:btc|bitcoin|mstr|naka|it|price|will|to|should|could|gonna|going to|now and)\s+)*(?:doubl|tripl|quadrupl|halv)(?:es?|ing)\b)/i

/** Bare numbers are prices only after these words, or before `FOLLOWS`. */
const CUE =
  /(?:\b(?:to|at|hits?|hit|hitting|reach(?:es|ed|ing)?|touch(?:es)?|tags?|taps?|target(?:s|ing|ed)?(?: is| of| price| remains| at)?|pt|tp|above|below|under|over|near|around|about|towards?|past|beyond|between|is|be|it's|was|think|believe|see|sees|seeing|predict(?:s|ing|ed)?|predicting|remains?|stays?|stands|forecast|expect(?:s|ing)?|exceeds?|cross(?:es)?|break(?:s|ing)?|clear(?:s)?|surpass(?:es)?|top|bottom|peak|floor|ceiling|least|of|than|recover|become|worth|sub|a|btc|bitcoin|mstr|naka|strategy|maybe|then|so|and|or|from|price|say|saying|go|goes|next|prediction|call|close|closes|even|like|possibly|probably|likely|my|our|for|still|another|the)|[>=<≥≤~@:→✅"(]|\p{Extended_Pictographic}|-)\s*$/iu
const FOLLOWS =
  /^(?:\s*(?:$|[.,;:!?)\]"'…\n/]|[^\p{L}\p{N}\s]|(?:by|in|before|until|this|next|within|end|eoy|e\.o\.y|is|was|as|bitcoin|btc|mstr|or|and|to|then|q[1-4]|soon|incoming|coming|easy|easily|at|on|for|per|each|target|prediction|call|would|will|should|after|again|when|if|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|minimum|min|max|top|bottom|floor|ceiling|area|region|zone|range|level|mark|bear|base|bull|prices?|stock|coin|holds?|hits|comes?|gets?|goes|breaks|falls|follows|arrives|happens|still|during|through|throughout|thru|around|december|november|october|september|august|july|june|april|march|february|january|20\d\d)\b))/iu
/** "1 million new wallets": a plural, perhaps after another word. */
const THINGS =
  /^\s+(?:(?!by |in |this |as )[a-z]+\s+)?(?!this|holds|hits|comes|gets|goes|breaks|falls|follows|arrives|happens|unless|always|perhaps|towards|afterwards)[a-z]{3,}[^s\W]s\b/i
/** "PT 12m", "over 6m": months, not millions. */
const MONTHS = /^(?:3|6|9|12|18|24|36)$/
const AFTER_TARGET = /\b(?:pts?|targets?|in|within|next|last|past|over|every|the|for)\s+\(?$/i

const SIZE_AFTER =
  /^\s*(?:(?:in|of|usd|us)\s+)?(?:(?!(?:as|with|by|on|if|when|because|due|and|but|or|after|driven|before|then|this|next|until|while|for|in|thanks|within|is|will|has|to|at|from)\s)[\w-]{1,14}\s+){0,2}?(?:market ?cap|mcap|mkt ?cap|cap\b|valuation|inflows?|outflows?|volume|liquidat\w+|aum|assets|revenues?|funding|debt|convertible|notes|offering|cash|savings|equity|down payment|treasury|reserves?|worth|asset class|loan|fine|grant|prize|bounty|giveaway|donation|fees?|tax(?:es)?|bet\b|wager|salary|profits?|loss(?:es)?|into (?:btc|bitcoin)|in (?:btc|bitcoin))\b/i
const RATE_AFTER =
  /^\s*(?:of|worth of|into) (?:btc|bitcoin)\b|^\s*(?:a|per|every|each|\/) ?(?:day|week|month|year|hour|tx|transaction|kwh|oz|ounce|barrel)\b(?! from| ago| out| later|'s time)/i
const SIZE_BEFORE =
  /(?:\b(?:market ?cap(?:itali[sz]ation)?|mcap|mkt ?cap|valuation|valued|inflows?|outflows?|volume|liquidations?|raise[sd]?|raising|invest(?:ed|s|ing)?|investment|bet|bets|betting|wager(?:ed)?|pay|pays|donat\w+|spent|spend(?:ing)?|salary|earn(?:s|ed)?|income|fees?|hash ?rate|difficulty|fund|reward|giveaway|giving away|give away|win|wins|won|saved?|profits?|loan|borrow(?:ed)?|send|sent|owe|owes|dominance|(?:i|you|we|people) need|turn(?:s|ed)?|purchases?|buys? another|acquires?|adds? another|revenue|fined?|stolen|hacked|(?<!\b(?:btc|bitcoin|mstr|price|it|we) )loses?|gained)\b(?:[\s:=]+(?:of|to|at|is|was|will|be|hits?|hit|reach(?:es)?|above|over|around|about|a|an|you|him|her|up|more|than|another|total|average|transaction|go|goes|exceeds?|usd|would|could|as|much|every|single|in)){0,4}[\s:=~@]*)$/i
/** "price target raised to $199k" is not money raised. */
const RAISED_TARGET =
  /\b(?:targets?|pts?|forecasts?|predictions?|estimates?|outlook|call)\b(?:\s+[\w$#]+){0,3}?\s+(?:is |was |to )?rais(?:e|ed|es|ing)\b[^.;\n]*$/i
/** "fees will drop to $1": the price of something else. */
const METRIC_BEFORE =
  /\b(?:market ?cap\w*|mcap|fees?|hash ?rate|difficulty|volume|inflows?|revenue|aum|gdp|rent|salar(?:y|ies)|income|net worth|portfolio|savings|my stack|house prices?|max pain|rsi|(?:fear|greed)(?: (?:and|&) (?:fear|greed))?(?: index)?|funding(?: rates?)?|nodes?|addresses|wallets?|bonus|futures|liquidation|mining costs?|retire (?:on|with))\b(?:\s+(?!btc|bitcoin|price|mstr|naka)[\w']+){0,3}\s*[:=~]?\s*$/i
/** "Rises $20k", "up another 15k", "+30k": the size of a move, not its end. */
const CHANGE_BEFORE =
  /\b(?:(?:ris|increas|decreas|surg|plung)(?:es?|ing)|(?:drop|gain|jump|climb|fall|shed|pump|dump|add|crash)(?:s|ing)?|go(?:es|ing)? (?:up|down)|up|down|another|an? (?:additional|extra|further))(?: (?:by|another|about|around|roughly|at least|more than|over|an? (?:additional|extra|further)))* ?~?$|(?<=[\s:,(])[+-]$/i
const CHANGE_AFTER =
  /^\s*(?:higher|lower|(?:price )?(?:gain|rise|increase|jump|decline|candle|swing|drop)s?)\b/i
/** "2 BTC will be worth", "0.1 BTC =": the price of several coins, or of a fraction. */
const SEVERAL_BEFORE =
  /(?<![$\d.,])(?!1(?:\.0+)? ?b|20\d\d b)\d{1,9}(?:[.,]\d{1,9})? ?(?:btc|bitcoins?)\b(?: [a-z]{1,8}){0,3} ?(?:worth|=|equals?|sells? for)\s*$/i
/** "I bet my neighbour $500 that": a stake. */
const STAKE_BEFORE =
  /\b(?:bet|wager)(?:s|ed|ting)?\s+(?:(?:my|his|her|your|our)\s+(?:\w+\s+){1,2}|(?:him|her|you|them|everyone|anyone|someone)\s+)$/i
/** A stock's multiple of its holdings. */
const RATIO_BEFORE = /\b(?:m?nav|premium|multiple|p\/e)\b[^.,;\n]{0,40}$/i
const TRADE_BEFORE =
  /(?:\b(?:bought|buy(?:ing|s)?|sold|sell(?:ing|s)?|longed|longs? (?:from|at)|long entry|shorted|shorts? (?:from|at)|entry|entries|entered|bids?|bidding|(?<!next )stop(?:[- ]?loss)?|sl|invalidat\w+|liq(?:uidation)?(?: price)?|cost basis|(?:my|our|their|his) average|averaged?(?: price| cost| entry)|averaged? (?:in|down|up)|avg|dca(?:'d|ing)?|paid|filled|accumulat\w+|added|loaded|stacked|take profits?|sma|ema|dma|wma|moving average|realized price|support|resistance|breakeven|break-even|strike|alerts?|watch(?:ing)?)\b(?:[\s:=@]+(?:price|btc|bitcoin|mstr|naka|more|some|mine|my|me|him|her|them|us|you|this|it|in|level|zone|at|is|was|of|from|under|below|above|around|near|the|dip|to|limit|orders?|set|sitting|ladder|between|back|my|first|bags?|lows?|again|all|half|most|part|everything|another|\d{1,2}%)){0,5}[\s:=@~(]*)$/i
const TRADE_AFTER =
  /^\s*(?:(?:or|and|\/)\s*\$?\d[\d.,]{0,8}k?\s*)?(?:stop(?:[- ]?loss)?|entry|strike|calls?\b(?! for)|puts?\b|options?|cost basis|sl\b|buy (?:order|wall|zone)|bids?|dip buy|premium\b)/i
/** Levels on a chart: a prediction only if the price goes there. */
const PLACE_AFTER =
  /^\s*(?:(?:cme|major|key|strong|weekly|daily|horizontal) )?(?:support|resistance|gap)\b/i
const GOES_THERE =
  /\b(?:to|towards?|hits?|tags?|taps?|retests?|revisits?|fills?|loses?|breaks?|reaches)\s+(?:the\s+|its\s+|that\s+|our\s+)?$/i
const PLACE_BEFORE =
  /\b(?:support|resistance|sma|dma|ema|wma|moving average|realized price)\b[^.;\n]{0,16}$/i
/** "Support is 3k and I expect that we hit it." */
const HIT_BEHIND =
  /^[^.;\n]{0,40}?\b(?:we|it|btc|bitcoin|price)(?:'ll| will)? (?:hit|reach|tag|test|retest|see|get|go)(?:s|es)? (?:it|that|there|to it)\b/i
/** "93k to 102k in 12 hours" has already happened. */
const MOVED_FAST =
  /^\s*(?:and back )?in (?:just |only |under |about |less than )?(?:\d{1,3}|an?|one|two|three|four|five|six|ten|twelve) (?:min(?:ute)?s?|hours?|hrs?)\b/i
/** "200-week SMA ($60k-$70k)": the level in brackets is the prediction. */
const IN_BRACKETS = /\($/
const OWNED =
  /\b(?:hold(?:s|ing)?|holdings|own(?:s)?|bought|buys?|buying|acquir\w+|stack(?:s|ed|ing)?|mined?|sold|sell(?:s|ing)?|purchas\w+|suppl(?:y|ies)|only|lost|transfer\w*|moved?|accumulat\w+|treasur(?:y|ies)|reserves?|wallet|mstr|strategy|there (?:are|will)|win(?:ner)?)\b/i

/** "bought another 4,020 BTC": such posts count coins elsewhere, too. */
const HOARD =
  /\b(?:bought|buys?|buying|acquir\w+|purchas\w+|holds?|hodls?|holdings|owns?|added) [^.\n]{0,30}?\d[\d,.]{0,12}[km]? ?(?:btc|bitcoins?)\b/i

/** A billion: a size, as no asset of ours will ever cost that. */
const TOO_MUCH = 1e9

/** The price levels of a text, ranges as one level each, and the amounts that are not levels. */
export function levelsIn(plain: string, dates: readonly DateMention[]): Levels {
  const amounts = amountsIn(plain).filter((one) => !isPartOfDate(one, dates))
  const hoards = HOARD.test(plain)
  const levels: Level[] = []
  const refused: (Span & { why: NoPrediction })[] = []
  for (let i = 0; i < amounts.length; i += 1) {
    const first = amounts[i]
    const second = amounts[i + 1]
    if (!first) continue
    const how = second ? joint(plain, first, second) : 'apart'
    if (second && how === 'range') {
      i += 1
      add(first, second)
    } else if (how === 'origin') refused.push({ ...placeOf(first), why: 'origin' })
    else add(first, null)
  }
  return { levels, refused }

  function add(first: Amount, second: Amount | null): void {
    const last = second ?? first
    const why = refusalOf(plain, first, last, hoards)
    if (second && MOVED_FAST.test(plain.slice(last.end, last.end + 32))) {
      refused.push({ start: first.start, end: last.end, why: 'origin' })
    } else if (why !== null) refused.push({ start: first.start, end: last.end, why })
    else levels.push(levelOf(first, second))
  }
}

function placeOf({ start, end }: Span): Span {
  return { start, end }
}

/** Digits of a date; years without a dollar sign are not prices either. */
function isPartOfDate(amount: Amount, dates: readonly DateMention[]): boolean {
  const date = dates[firstEndingAfter(dates, amount.start)]
  const plain = amount.kind !== 'usd' || amount.unit === null
  if (date && plain && overlaps(date, amount)) return true
  const { kind, unit, digits, value } = amount
  return (
    kind === 'bare' && unit === null && /^\d{4}$/.test(digits) && value >= 2009 && value <= 2140
  )
}

function isMoney({ kind }: Amount): boolean {
  return kind === 'usd' || kind === 'bare' || kind === 'coins'
}

function joint(plain: string, first: Amount, second: Amount): 'range' | 'origin' | 'apart' {
  const between = plain.slice(first.end, second.start)
  if (between.length > 24 || !isMoney(first) || !isMoney(second) || first.kind === 'coins') {
    return 'apart'
  }
  const before = plain.slice(Math.max(0, first.start - 32), first.start)
  if (ARROW.test(between)) return 'origin'
  const opened = BETWEEN.test(before)
  if (FROM.test(before) && !opened && /to\b|-$/i.test(between) && TO.test(between)) return 'origin'
  if (!(opened ? AND : TO).test(between)) return 'apart'
  // "$8k to $4k" falls from the higher price; "150-120k" is a range.
  const isAlike = (first.unit === null) === (second.unit === null)
  const isDown = isAlike && first.value > second.value
  if (isDown && !opened && /to\b/i.test(between)) return 'origin'
  const { min, max } = levelOf(first, second)
  if (min >= max || max / min > 25) return min > max && !between.includes('-') ? 'origin' : 'apart'
  return 'range'
}

/** In "80-120k" the unit applies to both ends; in "$60-70" there is none. */
function levelOf(first: Amount, second: Amount | null): Level {
  const last = second ?? first
  let [a, b] = [first.value, last.value]
  if (second) {
    if (first.unit === null && second.unit !== null && a < 1_000 && a * second.unit < b) {
      a *= second.unit
    } else if (second.unit === null && first.unit !== null && b < 1_000 && b * first.unit > a) {
      b *= first.unit
    }
  }
  const swap = second !== null && a > b
  const [low, high] = swap ? [last, first] : [first, last]
  const sure = first.kind === 'usd' || last.kind === 'usd'
  const unit = first.unit !== null || last.unit !== null
  return {
    start: first.start,
    end: last.end,
    min: Math.min(a, b),
    max: Math.max(a, b),
    low: placeOf(low),
    high: placeOf(high),
    orMore: last.orMore,
    small: !sure && !unit && Math.max(a, b) < 1_000,
    plain: !sure && !unit,
    short: !unit && Math.min(a, b) >= 10 && Math.max(a, b) < 1_000,
  }
}

function refusalOf(plain: string, first: Amount, last: Amount, hoards: boolean) {
  const before = plain.slice(Math.max(0, first.start - 64), first.start)
  const after = plain.slice(last.end, last.end + 48)
  const kinds = [first.kind, last.kind]
  if (kinds.includes('foreign')) return 'foreign-currency'
  if (kinds.includes('other')) return 'other'
  if (last.kind === 'coins' && !isPriceOfCoin(plain, last, before, hoards)) return 'coins'
  if (last.value <= 0) return 'zero'
  if (last.value >= TOO_MUCH || SIZE_AFTER.test(after) || RATE_AFTER.test(after)) return 'size'
  const isSize =
    STAKE_BEFORE.test(before) || (SIZE_BEFORE.test(before) && !RAISED_TARGET.test(before))
  if (isSize || METRIC_BEFORE.test(before) || RATIO_BEFORE.test(before)) return 'size'
  if (last.value < 1_000 && /\b(?:only|just|costs?|starting at)\s*$/i.test(before)) return 'size'
  if (CHANGE_BEFORE.test(before) || CHANGE_AFTER.test(after)) return 'change'
  if (SEVERAL_BEFORE.test(before) && !/^ (?:each|apiece|per)\b/i.test(after)) return 'several'
  // "Acquired 7,390 BTC for ~$765 million at ~$103,498 per bitcoin".
  if (hoards && /^\s*(?:per|a|each|\/)\s*(?:bitcoin|btc|coin)\b/i.test(after)) return 'trade'
  if (hoards && /\b(?:btc|bitcoins?|coins) (?:at|for)\s*~?$/i.test(before)) return 'trade'
  const isAfterSplit = /split\b/i.test(before)
  if (FROM_HERE.test(before) || (FROM_THERE.test(after) && !isAfterSplit)) return 'origin'
  if (FROM.test(before) && !BETWEEN.test(before) && first === last) return 'origin'
  const goesThere = PLACE_BEFORE.test(before) && HIT_BEHIND.test(after)
  if (
    !IN_BRACKETS.test(before) &&
    !goesThere &&
    (TRADE_BEFORE.test(before) || TRADE_AFTER.test(after))
  ) {
    return 'trade'
  }
  if (PLACE_AFTER.test(after) && !GOES_THERE.test(before)) return 'trade'
  if (kinds.includes('usd')) return null
  return isBarePrice(first, last, before, after) ? null : 'other'
}

/** "100k BTC by March" is a price, "21,000 BTC" a number of coins. */
function isPriceOfCoin(plain: string, amount: Amount, before: string, hoards: boolean): boolean {
  const rest = plain.slice(amount.end, amount.end + 40)
  if (!/^ ?(?:btc|bitcoin)\b/i.test(rest) || amount.unit === null || amount.value < 1_000)
    return false
  if (amount.unit >= 1e6 && Math.round(amount.value / 1e6) === 21) return false
  if (
    /^ ?(?:btc|bitcoins?) (?:left|remaining|outstanding|in total|held|locked|on exchanges)\b/i.test(
      rest,
    )
  )
    return false
  const sentence = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('. ')) + 1)
  return !OWNED.test(sentence) && !OWNED.test(rest.slice(0, 24)) && !hoards
}

function isBarePrice(first: Amount, last: Amount, before: string, after: string): boolean {
  const unit = first.unit ?? last.unit
  const coin = last.kind === 'coins'
  const cued = CUE.test(before) || before.trim() === '' || /[.!?\n]\s*$/.test(before)
  if (unit === 1e6 && last.digits === '21') return /\$/.test(before.slice(-3))
  if (/^\s*is (?:my|our)\b/i.test(after)) return true
  // "Bitcoin. One million. 2030."
  if (/[.!?\n]\s*$/.test(before) && unit !== null && /^\s*(?:[.!?\n]|$)/.test(after)) return true
  // "We end the year in six figures."
  if (first.inWords && /\b(?:bitcoin|btc|coin)s?, $/i.test(before)) return FOLLOWS.test(after)
  if (first.inWords && first.orMore && /\b(?:in|into)(?: the)?\s*$/i.test(before)) {
    return true
  }
  if (first.inWords)
    return CUE.test(before) && /\b(?:a|the|my|for|still|and|or|is)\s*$/i.test(before)
      ? FOLLOWS.test(after)
      : cued && FOLLOWS.test(after)
  if (unit === 1e6 && MONTHS.test(last.digits) && AFTER_TARGET.test(before)) return false
  if (unit !== null) return coin || FOLLOWS.test(after) || (cued && !THINGS.test(after))
  return cued && FOLLOWS.test(after)
}
