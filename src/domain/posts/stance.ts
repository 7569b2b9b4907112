import { type Sentence } from './plain.ts'
import { type Caution, type NoPrediction } from './post-reading.ts'

export type Stance = {
  readonly unsaid: NoPrediction | null
  /** "I predict", "my target": preferred over the rest of the post. */
  readonly own: boolean
  readonly doubts: readonly Caution[]
}

const QUESTION_START =
  /^[^\p{L}]*(?:so |and |but |ok |now |guys |hey |poll |question )?(?:will|can|could|is|are|do|does|did|what|what's|when|who|who's|how|would|should|where|which|why|think|any|anyone|anybody|has|have|really|wen|if|remember|ready|isn't|won't|which|are we|bullish or)\b/iu
/** A tag after a statement: "…, right?" is still a statement. */
const TAG =
  /(?:[,;-]\s|\.\.\.?\s?|\u2026\s?)(?:right|agree(?:d)?|no|ok|okay|who'?s (?:with me|in|ready)|ready|anyone(?: else)?(?: agree)?|you (?:ready|in)|thoughts|yes|deal|isn'?t it|don'?t you think|what do you think|what about you|what say you|your thoughts|sound good|get it|remember)[\s?!]*$/i

const POLL =
  /\b(?:poll|vote below|cast your vote|retweet (?:if|for)|rt (?:if|for)|like (?:if|for)|guess the (?:\w+ )?price|price guess|guessing (?:game|contest)|reply with|comment (?:below|your)|drop your|closest (?:guess|prediction) wins|place your bets|what'?s your (?:target|prediction|guess))\b|\b(?:yes or no|true or false|y\/n|crazy or not)\s?\?|\ba[).:] [^\n]{1,40}\s\(?b[).:] [^\n]{1,40}\s\(?c[).:] /i
const JOKE =
  /(?:^|\s)\/s(?:\s|$)|(?:^|\n)[^\S\n]{0,20}no(?:body|\s?one)\s*:|(?:^|\n)[^\S\n]{0,20}(?:him|her|ct|crypto twitter|everyone|everybody|maxis|normies|boomers|twitter)[^\S\n]?:|\bj\/?k\b|\b(?:just kidding|only kidding|sarcasm|sarcastic|satire|april fools?|happy april|funding secured|said no one|yeah,? right|(?:oh|yeah|yes|ah|okay|ok|lol),? sure|and i'?m (?:also )?(?:the (?:king|queen|pope|president|easter bunny|tooth fairy|emperor)|(?:going to |gonna )?marry(?:ing)?)|pigs (?:can |will )?fly|when hell freezes|trust me bro|narrator:|in my dreams|in your dreams|my crystal ball|according to my (?:cat|dog|astrologer|horoscope)|my (?:cat|dog|goldfish) (?:says|said|thinks|predicts)|source: (?:trust me|i made it up|my|dude)|parody|not a serious|simulation theory|taking (?:bitcoin|btc) private|i had a dream|as a joke|dreamt|dreamed)\b|🤡/iu
const LAUGH = /\b(?:lol|lmao|lmfao|rofl|haha+|hehe)\b|[😂🤣😜🤪]/iu
const EITHER =
  /\beither\b.{0,80}\bor\b|\b(?:zero|0)\s+or\b|\bor (?:zero|0)\b|\b(?:who|nobody|no ?one) knows\b|\bcoin ?flip\b|\bcould be [^.;]{1,20}, could (?:also )?be\b|\b(?:could|might|can) (?:just as (?:easily|well) )?(?:be|go|hit) [^.]{0,20} or \$?\d/i

/** Others' views that the author contradicts. */
const IF_YOU_THINK =
  /\b(?:if|when) (?:you|u|ya'?ll|anyone|anybody|someone|people|they)(?:'re)? (?:really |still |actually |honestly |even )*(?:don'?t )?(?:think|believe|thinking|doubt)\b[^,;]*$/i

const CONDITION =
  /\b(?:if|unless|once|provided(?: that)?|assum(?:ing|es|ed)(?: that)?|as long as|so long as|in case|should (?:we|btc|bitcoin|price|it|bulls|bears)|only when|when(?:ever)?|until|while we|needs? (?:to|an?\b)|must|has to|have to|has got to|want to see|would need|requires?|fail(?:ure|ing) to)\b/i
const NO_CONDITION =
  /\b(?:even if|as if|if not (?:sooner|earlier|before|more|higher|much)|if (?:(?:you|u|ya'?ll|anyone|anybody|people|they)(?! (?:had|have|invest|bought|buy|put|stack|h[eo]ld))|anything|nothing else|i had to|i have to|i'?m wrong|wrong)\b[^,.]{0,40}|in case (?:you|anyone|u)\b[^,.]{0,30}|what if|see if|wonder(?:ing)? if|ask(?:ed)? if|sure if|matter of if|(?:be|surprised|shocked|amazed|stunned|disappointed) if|only a matter of when|not if|if it'?s not obvious|if ever|(?:won'?t|will not|never|not|doesn'?t|isn'?t) (?:be )?stop(?:s|ping)? until)\b/gi
/** Conditions that already hold, or cannot be tested. */
const STANDING =
  /\b(?:as long as|so long as|provided|assuming|if|should)\b[^,.]{0,50}?\b(?:histor\w*|pattern|cycles?|trend|model|past|fractal|correlation|power law|s2f|stock[- ]to[- ]flow|thesis|curve|rhymes?|repeats?|continues?|holds?|stays?|remains?|keeps?|follows?|plays? out|i'?m right|i am right|correct|all goes|goes well|as planned|on track|stay|we hold|same)\b/i

const FUTURE =
  /(?:\b(?:will|we'll|it'll|they'll|i'll|you'll|'ll|gonna|going to|going|goes|go|headed|heading|head|shall|expect(?:s|ing|ed)?|predict(?:s|ing|ed|ion|ions)?|forecast(?:s|ing|ed)?|targets?|targeting|project(?:s|ed|ion|ions|ing)?|calling|call(?:s)?|bet|betting|should|could|might|may|would|can|we get|see|sees|seeing|guess|pt|next|aim(?:s|ing)?|believe|think|convinced|confident|outlook|expectation|eye(?:s|ing)|on (?:its|the|our) way|on track|path to|road to|imminent|inevitable|destined|bound (?:for|to)|programmed|(?:bottom|top) is in|will (?:have|be)|would have|to (?:hit|reach|touch|be|become|surpass|cross|break|exceed|trade|peak|top|bottom|fall|drop|rise|climb|soar|surge)|reach(?:es)?|hits|touches|crosses|breaks|exceeds|peaks|tops|bottoms|falls|drops|crashes|dips|rises|climbs|surges|soars|trades|closes|ends|finishes|becomes|lands|prints|tags|taps|incoming|coming|sticking (?:with|to)|stand(?:ing)? by|reiterat\w+|maintain\w*|rais(?:e|ing)|lower(?:ing)?|revis(?:e|ing)|upgrad\w+|seems|looks like|want|conservative|base case|won'?t|never|unlikely|doubt)\b|->|→|➡|🎯|🚀)/gi
const PAST =
  /\b(?:was|were|had(?! to (?:name|pick|guess|choose|bet|say))|did|another (?:[\w-]+ )?clos\w+|stayed|remained|ranged|hovered|chopped|didn't|has (?:already |now |just )?(?:been|hit|reached|crossed|broken|passed|gone)|have (?:already |now |just )?(?:been|hit|reached|crossed|broken|passed|gone|seen)|just (?:hit|broke|crossed|reached|touched|tagged|went)|already|reached|crossed|broke|touched|traded|closed|opened|bottomed|peaked|topped|surged|rose|fell|dropped|dipped|crashed|bounced|jumped|climbed|soared|went|saw|came|held|told|(?<!margin )called|nailed|missed|(?<!\bi )said|thought|hit(?= (?:an? )?(?:ath|all|record|high|low|new|\$?\d))|acquired?|closing price|hodls?|achieved|spent|remember|congrat\w*|used to|set (?=(?:an? |its |the )?(?:new |another )?(?:all|ath|record|high))|started|ended|finished|gained|lost|blew|passed|tagged|became|got|sold|bought|paid|longed|shorted|failed|flipped|rejected|wicked|printed|made it|from a)\b/gi
const NOW =
  /\b(?:is (?:now |currently |trading |still |back |sitting |at |up |hovering )+(?:at|above|below|to|around|near)?|currently|right now|trading (?:at|around|near|above|below)|sits at|now at|at the moment|hovering|spot price|price:|is (?:at|around|near|above|over|in the)(?=\s*$)|stands at|btc @|bitcoin @|current price|today's price|as of)\b/gi
const FIRM =
  /\b(?:will|we'll|it'll|'ll|gonna|going to|headed|heading|shall|predict(?:s|ing|ion)?|forecast(?:s|ing)?|my (?:\w+ )?(?:target|prediction|call|forecast|guess|pt)|price target|pts?|target(?:s|ing)?|calling|inevitable|destined|bound (?:for|to)|programmed|imminent|expect(?:ing)?|convinced|guarantee\w*|mark my words|next (?:[\w$#]+ ){0,5}?(?:stop|move|leg|step|level)|we (?:get|go)|we're (?:getting|going)|won'?t|will not|never|hits|reaches|goes|incoming|coming|(?:bottom|top) is in)\b/i
const HEDGE =
  /\b(?:could|might|(?<!\b(?:by|in|before|until|till|this|next|early|mid|late|of)[ -])may(?! \d)|maybe|perhaps|possibl[ey]|would|can|potential(?:ly)?|should|on track|path to|probably|likely|hope(?:fully)?|wish|chance|guess|wouldn'?t be surprised|not out of|imagine|looks like|seems|want|eventually)\b/i
const OWN =
  /\b(?:i (?:now |still |hereby |also |do |would |'d )?(?:predict|expect|think|believe|see|forecast|bet|say|guess|call|am (?:calling|predicting|targeting|betting|sticking))|i'?m (?:calling|predicting|targeting|betting|sticking|still|raising|going with|saying)|my (?:\w+ ){0,3}(?:target|prediction|call|forecast|guess|pt|estimate|base case|model)|we (?:expect|forecast|predict|see)|our (?:\w+ )?(?:target|prediction|forecast|model)|base case|mark my words|hold me to)\b/i
const SECONDARY =
  /\b(?:worst[- ]case|best[- ]case|bear(?:ish)? case|bull(?:ish)? case|let alone|maybe even|possibly even|perhaps even|or even|if not|stretch|not out of the question|can'?t rule out|dip to|dips to|dipping to|retrace to|pull ?back to|correction to|upside to|downside to|as (?:low|high) as|blow[- ]off|extreme|moonshot|before (?:that|then))\b[^,;]*$/i
const SECONDARY_AFTER =
  /^[^,;.]{0,24}\b(?:not out of the question|not impossible|possible too|is possible|at best|worst case|best case|bear case|bull case|before (?:going|heading|rallying|moving|continuing|pumping|running|exploding|bouncing|reversing|resuming|taking off|we (?:go|head|rally|pump)))\b/i
/** "Back to 40k before we ever see 150k" does not say whether the latter comes. */
const BEFORE_EVER =
  /\bbefore (?:we|it|you|btc|bitcoin|the price)(?:'ll)? (?:will )?(?:ever|even) \w+(?: \w+)? ?$/i
const LET_ALONE = /\blet alone\b[^,;.]{0,20}$/i
const AFTERMATH =
  /\b(?:then|after(?: that| which|wards)?|followed by|before|subsequent\w*|later)\b[^.]{0,48}\b(?:crash|drop|fall|correct|retrac|back|dump|bear|pull ?back|collapse|down|decline|bottom|bleed|winter|low)\w*/i
/** "A 10% chance that": too unlikely to be a prediction. */
const CHANCE = /\b(?<percent>\d{1,2})(?:\.\d+)? ?% (?:chance|probability|odds|likelihood)\b/gi
/** "Odds of 150k by May: 28 %". */
const ODDS = /\b(?:odds|probability|chances?|likelihood)\b/i
const PERCENT_AFTER = /^[^.;\n]{0,60}?(?<![\d.])(?<percent>\d{1,2})(?:\.\d+)? ?%/
const LEAST_CHANCE = 50
/** The outer two of "low $110k / base $150k / high $210k". */
const OUTER_CASE = /\b(?:low|high|bear|bull|optimistic|pessimistic)\s*[:=-]?\s*~?$/i
const DOUBTED =
  /^[^.;]{0,40}?\b(?:first miss|a miss|missed|failed|will fail|is dead|was wrong|invalidated|is fud|nonsense|is a joke|is a meme|is hopium|is stupid|is priced in|is ridiculous|is (?:way |far |much |a bit )?too (?:high|much|optimistic|bullish|bearish|low|soon|early)|is delusional|bros|people|crowd)\b/i
const DONE =
  /^[^.;,]{0,16}\b(?:was (?:hit|reached|the|so|a|my)|is here|done|achieved|reached|hit\b|broken|✅|in the books|came|unlocked|already|ago|yesterday|party|we did it|congrat\w*)/i
/** "was set on the 20th", "60k lost, 52k in May": over, even if a date follows. */
const DONE_THEN =
  /^\s*(?:✅|(?:lost|rejected|reclaimed|done|achieved|reached|broken|tagged|touched|gone|held)\s*(?:[.,;!✅&]|$)|(?:\w+\s+){0,2}?(?:was|were|got (?:set|hit|reached|made|printed|tagged|rejected))\b)/i
/** As above, where the words belong to the previous price. */
const OF_THE_ONE_BEFORE =
  /^\s*(?:lost|rejected|reclaimed|done|achieved|reached|broken|tagged|touched|gone|held)\s*[,;!✅&]/i
/** "I'm not saying that it will": neither a prediction nor its opposite. */
const DISCLAIMED =
  /\b(?:(?:i'?m|i am|we'?re) not (?:saying|claiming|predicting|calling for|suggesting)|(?:i|we) (?:never|didn'?t|did not|haven'?t) (?:ever )?(?:said?|predict(?:ed)?|claim(?:ed)?|call(?:ed)?(?: for)?)|stop (?:saying|calling|predicting|telling)|(?:nobody|no ?one) should|nobody (?:can|could)|(?:not|isn'?t|ain'?t) (?:so |very |too )?(?:sure|certain|convinced)(?! if\b))\b[^.;]*$/i
/** "Assume it goes to": supposed, not predicted. */
const SUPPOSED =
  /^[^\p{L}]*(?:now |so |let'?s )?(?:assume|suppose|imagine|pretend|picture|what if)\b/iu
/** Wishes. */
const WANTED =
  /\b(?:i (?:want|wish|would love|would like)|i'd (?:love|like|rather)|would (?:really )?(?:love|like) to|i would rather|nothing would make me|please|give me|dreaming (?:of|about)|we(?:'ll| will) (?:all )?(?:laugh|cry|look back))\b(?:(?! but )[^.;]){0,80}$/i
/** "At 30 % a year it is 315k in 2030": a calculation. */
const GROWTH =
  /\bat (?:an? |just )?\d{1,3} ?%(?: \w+){0,2} (?:cagr|growth|returns?|a year|per year|annual\w*|gains?)\b|\bat (?:an? )?\d{1,3} ?% cagr\b/i
/** "Every day that it does not": about behaviour or feelings on such days. */
const EVERY_TIME =
  /^[^\p{L}]*(?:every|each|any) (?:single )?(?:day|week|month|time|minute|hour|year)\b/iu
/** A headline: "hits $93k for the first time". */
const FIRST_TIME = /^[^.;\n]{0,16}\bfor (?:the|its) (?:very )?(?:first|second|third) time\b/i
/** Hopes, and consequences of something else. */
const WISH =
  /\b(?:dream(?:s|ing)? (?:of|about)|can'?t wait|waiting (?:for|until)|looking forward|hoping (?:for|to)|pray(?:s|ing)? for|the day (?:that |when )?(?:we|it|btc|bitcoin|mstr|naka))\b[^.;]{0,60}$/i
/** "would mean a market cap of": the meaning of a price, not a prediction of it. */
const HYPOTHESIS =
  /^[^.;,]{0,40}?\bwould(?:n't| not)? (?:mean|imply|confirm|change|trigger|make|require|need|put|give|equal|be (?:an? |nice|great|cool|only|just|worth|equal))|^[^.;,]{0,40}?\bwould (?:shock|surprise)\b/i
/** "$8k to $4k in a day": without a verb, a past move. */
const MOVED_FROM = /\d[\d.,]{0,9}[km]? ?(?:to|-+>|=>|→)\s*~?\s*$/i
const MOVED_IN =
  /^\s*(?:and back(?: again)? )?in (?:just |only |under |about |less than )?(?:\d{1,3}|an?|one|two|three|four|five|six) (?:min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|years?)\b/i
const VICTORY =
  /\b(?:told you|i told (?:you|y'?all|them)|called it|nailed it|as (?:i )?predicted|as (?:i )?expected|here we are|like i said|was right|just like|another one of my|i was wrong|was spot on|aged well|aged (?:like|badly|poorly)|remember when|back when|when i (?:first )?(?:predicted|called|said|tweeted)|years? ago|flashback|throwback|on this day|in hindsight)\b/i
const COMING =
  /^\s*(?:per )?(?:btc |bitcoin )?(?:is |are |will be |'s )?(?:still |clearly |obviously |definitely |definitively |just )*(?:next|incoming|coming|inevitable|programmed|in play|imminent|my (?:[\w$#]+ ){0,3}?(?:target|number|call|prediction|base case|pt)|the (?:number|target|next (?:stop|target|level))|guaranteed|loading|is a certainty|only a matter of time|a matter of time|soon|on deck|is conservative|easy|easily|then|(?:btc |bitcoin )?(?:in |for )?(?:this|next) (?:bull|cycle|run))\b/i

/** Why a whole post contains no prediction. */
export function unsaidByPost(plain: string): NoPrediction | null {
  if (/^\s*rt _{2}/i.test(plain)) return 'reported'
  if (JOKE.test(plain) || (/\bimagine\b/i.test(plain) && laughs(plain))) return 'joke'
  return POLL.test(plain) ? 'poll' : null
}

export type Around = {
  readonly sentence: Sentence
  /** Between the previous level, or the start of the sentence, and this level. */
  readonly segment: string
  /** The whole sentence before the level. */
  readonly before: string
  readonly after: string
  /** Has a deadline after the post. */
  readonly dated: boolean
  /** The deadline ends the current period: "this month". */
  readonly current: boolean
  readonly denied: boolean
  /** A question that the author answers at once. */
  readonly answered: boolean
  /** Its context makes it a top or a bottom. */
  readonly extreme: boolean
  readonly laughs: boolean
  readonly quoted: boolean
}

/** "will hit", "to have crossed": a past form after a word of the future. */
const STILL_AHEAD =
  /\b(?:will|to|could|may|might|should|can|would|'ll|gonna|never|not|won't|don't|we|let's)\s+(?:have\s+|be\s+|has\s+)?(?:\w+ly\s+|already\s+|just\s+|soon\s+|even\s+|likely\s+)?$/i

/** "My target is still at": about a target, not the price. */
const MY_TARGET = /\b(?:target|prediction|forecast|call|estimate|outlook|pt)\b[^.;]*$/i

/** Whether the author says this about the future, and how firmly. */
export function stanceOf(around: Around): Stance {
  const { segment, before, after, dated, sentence } = around
  const doubts: Caution[] = []
  const text = sentence.text.slice(0, 1_200)
  const has = (unsaid: NoPrediction): Stance => ({ unsaid, own: false, doubts: [] })
  if (!around.answered && isQuestion(sentence, after)) return has('question')
  if (around.quoted || isReported(text, before, segment, after) || IF_YOU_THINK.test(segment))
    return has('reported')
  if (EITHER.test(text)) return has('alternatives')
  const won = VICTORY.exec(before)?.[0]
  // "As expected, 55k now and 100k in 2027": the second is still ahead.
  const goesOn = dated && won !== undefined && /^(?:as|like)\b/i.test(won)
  if (won !== undefined && !goesOn && !OWN.test(segment)) return has('past')
  if ((DOUBTED.test(after) && !around.denied) || isUnlikely(segment, after)) return has('doubted')
  const condition = conditionOf(text, segment, after, dated)
  if (condition === 'unmet') return has('condition')
  if (condition === 'standing') doubts.push('standing-condition')
  const tense = tenseOf(
    segment.length < before.length ? segment.replace(OF_THE_ONE_BEFORE, '') : segment,
  )
  const coming = COMING.test(after)
  // "Was the top today" is about today.
  const isOver = around.current && !dated
  const isCalledExtreme = around.extreme && !isOver && /^\s*was\b/i.test(after)
  if (DONE.test(after) && !dated && !isCalledExtreme) return has('past')
  if (DONE_THEN.test(after) && !isCalledExtreme) return has('past')
  if (FIRST_TIME.test(after) && !dated && !/\b(?:will|'ll|gonna|going to)\b/i.test(segment))
    return has('past')
  if (!dated && EVERY_TIME.test(text)) return has('vague')
  if ((HYPOTHESIS.test(after) && !/\banything\b/i.test(segment)) || SUPPOSED.test(text))
    return has('vague')
  if (DISCLAIMED.test(segment)) return has('doubted')
  if (WANTED.test(segment)) return has('vague')
  if (GROWTH.test(segment) && !OWN.test(segment)) return has('condition')
  if (tense === null && MOVED_FROM.test(before.slice(-24)) && MOVED_IN.test(after))
    return has('past')
  const hitThen = HIT_THEN.test(segment) && THEN_AFTER.test(after)
  if ((tense === 'past' || hitThen) && !coming) return has('past')
  if (tense === 'now' && (!dated || around.current)) return has('past')
  const own = OWN.test(segment) || OWN.test(after.slice(0, 40))
  const hedged = HEDGE.test(segment) && !/\bi (?:now |still )?predict\b/i.test(segment)
  if (hedged) doubts.push('hedged')
  if (LET_ALONE.test(segment) || BEFORE_EVER.test(segment)) return has('vague')
  if (SECONDARY.test(segment) || OUTER_CASE.test(segment) || SECONDARY_AFTER.test(after)) {
    doubts.push('secondary')
  }
  if (AFTERMATH.test(before.slice(-110))) doubts.push('aftermath')
  const firm =
    around.denied ||
    coming ||
    (around.extreme && !hedged) ||
    ((tense === 'future' || own) && FIRM.test(segment) && !hedged)
  const vague = !dated && (!firm || WISH.test(segment) || around.laughs || condition !== null)
  return { unsaid: vague ? 'vague' : null, own, doubts }
}

function isUnlikely(segment: string, after: string): boolean {
  const percent = [...segment.matchAll(CHANCE)].at(-1)?.groups?.['percent']
  const last =
    percent ?? (ODDS.test(segment) ? PERCENT_AFTER.exec(after)?.groups?.['percent'] : null)
  return last !== null && last !== undefined && Number(last) < LEAST_CHANCE
}

function isQuestion(sentence: Sentence, after: string): boolean {
  if (!sentence.asks) return false
  const asks = QUESTION_START.test(sentence.text)
  return asks || !TAG.test(after)
}

/** "Bitcoin hit $126k in October": past tense, unless followed by "by". */
const HIT_THEN =
  /^[^\p{L}$#]{0,8}[$#]?(?:bitcoin|btc|mstr|strategy|microstrategy|naka|it|(?:the )?price)(?: (?:price|finally|just|only|even))? hit\s+[~$]?$/iu
const THEN_AFTER = /^\s*(?:in|on|during|last|this|earlier|for)\b/i

/** The last verb before the price governs it. */
function tenseOf(segment: string): 'future' | 'past' | 'now' | null {
  const near = segment.slice(-160)
  const future = lastOf(near, FUTURE)
  const seen = lastOf(near, PAST)
  const present = lastOf(near, NOW)
  const isAhead = (at: number): boolean => at >= 0 && STILL_AHEAD.test(near.slice(0, at))
  const past = isAhead(seen) ? future : seen
  const isMine = present >= 0 && MY_TARGET.test(near.slice(0, present))
  const now = isAhead(present) || isMine ? future : present
  const last = Math.max(future, past, now)
  if (last < 0) return null
  if (last === future) return 'future'
  return last === past ? 'past' : 'now'
}

function lastOf(text: string, pattern: RegExp): number {
  let last = -1
  for (const match of text.matchAll(pattern)) last = match.index
  return last
}

function conditionOf(text: string, segment: string, after: string, dated: boolean) {
  const clear = (words: string) => words.replace(NO_CONDITION, (found) => '_'.repeat(found.length))
  const clause = clear(segment).slice(
    Math.max(segment.lastIndexOf(','), segment.lastIndexOf(';'), segment.lastIndexOf(' then ')) + 1,
  )
  const inside = CONDITION.exec(clause)
  if (inside && !(dated && /^when$/i.test(inside[0]))) {
    return dated &&
      STANDING.test(clause) &&
      /\bif\b/i.test(clause) &&
      !/\b(?:stay|hold|above|below)/i.test(clause)
      ? 'standing'
      : 'unmet'
  }
  const whole = clear(text)
  if (/\b(?:needs? to|must|has to|have to)\b.{0,80}\bor\b/i.test(whole)) return 'unmet'
  const before = clear(segment)
  const first =
    /\b(?:if|unless|once|fail(?:ure|ing) to|should (?:we|btc|bitcoin)|provided|assuming|as long as|so long as)\b[^.]{0,160}/i.exec(
      whole,
    )
  if (!first) return null
  const behind = first.index > text.length - after.length
  if (!behind && before === '') return null
  return STANDING.test(first[0]) ? 'standing' : 'unmet'
}

export function laughs(plain: string): boolean {
  return LAUGH.test(plain)
}

/** Words that report others' statements. */

/** "lowers its target", "cuts BTC forecast"; banks also cut interest rates, so a word such as `target` must follow. */
const CHANGES = String.raw`(?:lowers?|lowered|cuts?|slashe[sd]|hikes?|hiked|boosts?|boosted|trims?|trimmed|revise[sd]|upgrade[sd]|downgrade[sd]|ups|raised)(?=[^.\n]{0,48}\b(?:targets?|forecasts?|outlook|predictions?|estimates?|calls?|pt)\b)`
const SPEAKER_VERB = String.raw`(?:says?|said|text(?:s|ed)|messaged|wrote|writes|swore|promise[sd]|announce[sd]|predict(?:s|ed)|thinks|thought|expects?|expected|sees|forecasts?|believes?|believed|claims?|claimed|calls for|called for|told|tweeted|reckons|estimates|projects|reiterates|reaffirms|raises|lifts|maintains|doubles down|initiates|sets|warns|tips|swears|insists|is calling|are calling|is predicting|are predicting|${CHANGES}|'s (?:target|prediction|call|forecast|model))`
const REPORTED_NAME = new RegExp(
  String.raw`(?:^|[^\p{L}\p{N}$#])(?!(?:I|We|You|My|Our|The|This|That|It|BTC|Bitcoin|MSTR|Strategy|MicroStrategy|NAKA|And|But|So|Then|Now|Price|Model|Chart|Data|Math|History|Everyone Who|S2FX?|Everything|Nobody|Still|Also|What|Who|Market|If|When|As|Power|Law|Top|Floor|Technicals|TA|Fibs?|Elliott|Macro|Liquidity|Logic|Don't|Dont|Do|Can't|Please|Always|Never|Just|Not)\b)\p{Lu}[\p{L}\d.&'-]{1,20}(?: (?!(?:I|We)\b)\p{Lu}[\p{L}\d.&'-]{0,20}){0,3} (?:just |still |also |now |has |have |once |again |officially )?${SPEAKER_VERB}\b`,
  'u',
)
/** "Big Bank's new target": not "Bitcoin's", and not "here's my". */
const POSSESSED = new RegExp(
  String.raw`(?:^|[^\p{L}\p{N}$#])(?!(?:Bitcoin|BTC|MSTR|Strategy|MicroStrategy|NAKA|This|That|It|Here|There|What|Who|Where|Let|Today|Tomorrow|Year|Cycle|Market|January|February|March|April|May|June|July|August|September|October|November|December)\b)\p{Lu}[\p{L}\d.&-]{1,20}(?: \p{Lu}[\p{L}\d.&-]{0,20}){0,2}(?:'s? (?:(?!my|our|a\b|the\b)[\w$#-]+ ){0,3}?(?:targets?|predictions?|calls?|forecasts?|models?|estimates?|outlook|projections?|scenarios?|(?:base|bull|bear) cases?|fair value)\b|'s [~$]?$)`,
  'u',
)
const MANY = String.raw`(?:analysts|experts|economists|strategists|traders|banks|investors|respondents|people|influencers|maxis|bulls|bears|they|others|folks)`
const MANY_SAY = new RegExp(
  String.raw`\b${MANY} (?:\w+ )?(?:predict|say|think|see|forecast|believe|claim|call for|reckon|estimate|project|expect|bet(?: on)?|want|hope for|are calling for|are betting on)\b|\b\d{1,3} ?% of (?:\w+ )?${MANY}\b|\b(?:survey|respondents)\b|\b(?:every|each|another|some|the average) (?:\w+ )?(?:analyst|expert|economist|strategist|trader|bank|investor|influencer|guru|maxi|bull|bear)\b[^.;]{0,24}\b(?:has|had|with|is|calls|and (?:his|their))\b`,
  'i',
)
const RELATIVE = String.raw`my (?:\d{1,2}[- ]year[- ]old|(?:\w+ ){0,2}(?:friend|buddy|mate|brother|bro|sister|dad|mom|mum|father|mother|wife|husband|son|daughter|uncle|aunt|cousin|grandma|grandpa|boss|barber|driver|neighbou?r|co-?worker|colleague|accountant|banker|advisor|adviser|teacher|professor|doctor|dentist|girlfriend|boyfriend|roommate|landlord|kid|nephew|niece|in-law)s?)`
/** "Nobody believes that it hits 150k": neither the author's claim nor a denial. */
const FEW_THINK =
  /\b(?:nobody|no ?one|few(?: people)?|hardly anyone|not many(?: people)?)(?: \w+)? (?:thinks?|believes?|expects?|sees|predicts?|says?|imagines?)\b/i
const REPORTED = new RegExp(
  String.raw`\b(?:analysts?|experts?|economists?|strategists?|traders?|banks?|bank|ceo|cfo|founder|billionaire|he|she|they|someone|somebody|people|everyone|everybody|influencers?|guru|maxis|bulls|bears|media|report|survey|polymarket|cnbc|jpmorgan|fund|who|guy|dude|${RELATIVE}|_{3,40}) (?:\w+ )?${SPEAKER_VERB}(?:\s|$|:)|\b(?:those|anyone|people|everyone|everybody|bulls|bears|guys|folks|others|many|some|analysts|experts) (?:who (?:are )?|are |is )?(?:predict|call|expect|say|think|scream|shout|promis)ing\b|\b(?:according to|per|via|hat tip|h\/t|rt|quoting|citing) _{3}|\baccording to (?!my|our|the (?:chart|model|math|data|power|s2f)|this|history|s2f|plan)\w|\b(?:breaking|just in|latest|news|headline|(?<!\b(?:our|my)(?: new| latest)? )report)\s?:|^rt _{2}|\bbet (?:me|us)\b|\b(?:he|she|they|who|someone|somebody|${RELATIVE}) (?:just |has |have )?(?:bets?|wagers?|is betting|are betting)\b`,
  'i',
)
/** "Bitcoin to $200k by EOY, says Expert Alpha". */
const REPORTED_AFTER =
  /(?:^|[\s,-])(?:says?|said|predict(?:s|ed)|claims|warns|reckons|thinks|according to|writes) (?:the )?(?:_{3}|(?!(?:I|My|Our|S2FX?|Elliott|Power)\b)\p{Lu}[\p{L}&]+)/u
const NAME_COLON =
  /^[^\p{L}]*\p{Lu}\p{Ll}+ (?:\p{Lu}\.? )?\p{Lu}\p{Ll}+(?:(?:,| on| at| in| to| via| during) [^:\n]{2,40})?: /u
/** Companies whose forecasts are quoted with a colon. */
const HOUSE_COLON =
  /^[^\p{L}]*(?:JPMorgan|JPM|Citi(?:group|bank)?|Goldman(?: Sachs)?|Morgan Stanley|Standard Chartered|Bernstein|VanEck|Bitwise|ARK(?: Invest)?|BlackRock|Fidelity|Galaxy|Fundstrat|Matrixport|Grayscale|Benchmark|BTIG|Mizuho|Cantor|TD Cowen|Barclays|Canaccord|Bloomberg|CNBC|Reuters|Forbes|CoinDesk|Cointelegraph|(?:\p{Lu}\. ?){1,3}\p{Lu}\p{Ll}+)(?: \w+){0,2}: /u
const NO_NAME =
  /\b(?:mark my|words|price|target|prediction|forecast|bitcoin|btc|update|bold|hot|take|call|my|case|bear|bull|base|month|year|cycle|scenario|short|long|term|end|top|bottom|next|final|thread|reminder|unpopular|opinion|mstr|strategy|outlook|new)/i

/** First names, and people known by a single name; any other word with a colon is a heading: "Simple: 150k". */
const ONE_NAME_COLON =
  /^[^\p{L}]*(?:Cathie|Wood|Saylor|Novogratz|Hayes|Draper|Keiser|PlanB|Mow|Woo|Kiyosaki|Pomp(?:liano)?|Schiff|Dalio|Dimon|Buffett|Musk|Elon|Trump|Powell|Balaji|Bukele|McAfee|Winklevoss|Brandt|Cramer|Fink|Armstrong|CZ|Vitalik|Scaramucci|Krueger|Timmer|McGlone|Cowen|Kendrick|Hougan|Mallers|Hoskinson|Roubini|Gundlach|Druckenmiller|Chamath|Raoul|Michael|Tom|Tim|Arthur|Peter|Mike|Adam|Samson|Willy|Jack|Larry|Jamie|Anthony|Robert|Eric|Charles|David|John|James|Paul|Alex|Chris|Sarah|Anna|Emma|Laura): /u

const IN_PERSON =
  /\b(?:i (?:now |still )?(?:predict|expect|say|think|believe|see)|i'm (?:at|calling|going|saying)|my (?:\w+ )?(?:target|call|number|prediction|guess))\b/i

/**
 * Whether a sentence reports others' statements.
 *
 * @param segment the words between the previous level, or the start of the sentence, and this level
 */
function isReported(text: string, before: string, segment: string, after: string): boolean {
  if (HOUSE_COLON.test(text)) return true
  if (NAME_COLON.test(text) && !NO_NAME.test(text.slice(0, text.indexOf(':')))) return true
  if (ONE_NAME_COLON.test(text)) return true
  if (
    /\b(?:i agree|i'm with|i (?:still |do |also )(?:agree|expect|believe|think)|i stand by)\b/i.test(
      text,
    )
  )
    return false
  // "Analysts see 150k, I predict 190k": the second is the author's own.
  if (IN_PERSON.test(segment) && segment.length < before.length) return false
  return (
    /\b(?:polymarket|kalshi|prediction markets?)\b/i.test(before) ||
    REPORTED_NAME.test(before) ||
    POSSESSED.test(before) ||
    MANY_SAY.test(before) ||
    FEW_THINK.test(before) ||
    REPORTED.test(before) ||
    REPORTED_AFTER.test(after) ||
    /\b(?:according to|per|via) (?:_{3}|\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+)/u.test(text)
  )
}
