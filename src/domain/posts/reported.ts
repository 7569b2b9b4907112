/** Words that report what others say, which is not the author's prediction. */

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
const REPORTED = new RegExp(
  String.raw`\b(?:analysts?|experts?|economists?|strategists?|traders?|banks?|bank|ceo|cfo|founder|billionaire|he|she|they|someone|somebody|people|everyone|everybody|influencers?|guru|maxis|bulls|bears|media|report|survey|polymarket|cnbc|jpmorgan|fund|who|guy|dude|${RELATIVE}|_{3,40}) (?:\w+ )?${SPEAKER_VERB}(?:\s|$|:)|\b(?:those|anyone|people|everyone|everybody|bulls|bears|guys|folks|others|many|some|analysts|experts) (?:who (?:are )?|are |is )?(?:predict|call|expect|say|think|scream|shout|promis)ing\b|\b(?:according to|per|via|hat tip|h\/t|rt|quoting|citing) _{3}|\baccording to (?!my|our|the (?:chart|model|math|data|power|s2f)|this|history|s2f|plan)\w|\b(?:breaking|just in|latest|news|headline|report)\s?:|^rt _{2}|\bbet (?:me|us)\b|\b(?:he|she|they|who|someone|somebody|${RELATIVE}) (?:just |has |have )?(?:bets?|wagers?|is betting|are betting)\b`,
  'i',
)
/** "Bitcoin to $200k by EOY, says Expert Alpha". */
const REPORTED_AFTER =
  /(?:^|[\s,-])(?:says?|said|predict(?:s|ed)|claims|warns|reckons|thinks|according to|writes) (?:the )?(?:_{3}|(?!(?:I|My|Our|S2FX?|Elliott|Power)\b)\p{Lu}[\p{L}&]+)/u
const NAME_COLON =
  /^[^\p{L}]*\p{Lu}\p{Ll}+ (?:\p{Lu}\.? )?\p{Lu}\p{Ll}+(?:(?:,| on| at| in| to| via| during) [^:\n]{2,40})?: /u
/** Companies whose forecasts people quote with a colon. */
const HOUSE_COLON =
  /^[^\p{L}]*(?:JPMorgan|JPM|Citi(?:group|bank)?|Goldman(?: Sachs)?|Morgan Stanley|Standard Chartered|Bernstein|VanEck|Bitwise|ARK(?: Invest)?|BlackRock|Fidelity|Galaxy|Fundstrat|Matrixport|Grayscale|Benchmark|BTIG|Mizuho|Cantor|TD Cowen|Barclays|Canaccord|Bloomberg|CNBC|Reuters|Forbes|CoinDesk|Cointelegraph|(?:\p{Lu}\. ?){1,3}\p{Lu}\p{Ll}+)(?: \w+){0,2}: /u
const NO_NAME =
  /\b(?:mark my|words|price|target|prediction|forecast|bitcoin|btc|update|bold|hot|take|call|my|case|bear|bull|base|month|year|cycle|scenario|short|long|term|end|top|bottom|next|final|thread|reminder|unpopular|opinion|mstr|strategy|outlook|new)/i

/** People known by one name, and given names; any other word with a colon is a heading: "Simple: 150k". */
const ONE_NAME_COLON =
  /^[^\p{L}]*(?:Cathie|Wood|Saylor|Novogratz|Hayes|Draper|Keiser|PlanB|Mow|Woo|Kiyosaki|Pomp(?:liano)?|Schiff|Dalio|Dimon|Buffett|Musk|Elon|Trump|Powell|Balaji|Bukele|McAfee|Winklevoss|Brandt|Cramer|Fink|Armstrong|CZ|Vitalik|Scaramucci|Krueger|Timmer|McGlone|Cowen|Kendrick|Hougan|Mallers|Hoskinson|Roubini|Gundlach|Druckenmiller|Chamath|Raoul|Michael|Tom|Tim|Arthur|Peter|Mike|Adam|Samson|Willy|Jack|Larry|Jamie|Anthony|Robert|Eric|Charles|David|John|James|Paul|Alex|Chris|Sarah|Anna|Emma|Laura): /u

const IN_PERSON =
  /\b(?:i (?:now |still )?(?:predict|expect|say|think|believe|see)|i'm (?:at|calling|going|saying)|my (?:\w+ )?(?:target|call|number|prediction|guess))\b/i

/**
 * Whether a sentence reports what others say.
 *
 * @param segment its words between the level before, or its start, and this level
 */
export function isReported(text: string, before: string, segment: string, after: string): boolean {
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
    REPORTED.test(before) ||
    REPORTED_AFTER.test(after) ||
    /\b(?:according to|per|via) (?:_{3}|\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+)/u.test(text)
  )
}
