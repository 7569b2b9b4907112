/** Words of others: what they say is no prediction of the one who posts. */

/** "lowers its target", "cuts BTC forecast": of a bank, a rate of interest is cut, too. */
const CHANGES = String.raw`(?:lowers?|lowered|cuts?|slashe[sd]|hikes?|hiked|boosts?|boosted|trims?|trimmed|revise[sd]|upgrade[sd]|downgrade[sd]|ups|raised|initiate[sd])(?=[^.\n]{0,48}\b(?:targets?|forecasts?|outlook|predictions?|estimates?|calls?|pt)\b)`
const SPEAKER_VERB = String.raw`(?:says?|said|predict(?:s|ed)|thinks|thought|expects?|expected|sees|forecasts?|believes?|believed|claims?|claimed|calls for|called for|told|tweeted|reckons|estimates|projects|reiterates|reaffirms|raises|lifts|maintains|doubles down|sets|warns|tips|swears|insists|is calling|are calling|is predicting|are predicting|${CHANGES}|'s (?:target|prediction|call|forecast|model))`
const REPORTED_NAME = new RegExp(
  String.raw`(?:^|[^\p{L}\p{N}$#])(?!(?:I|We|You|My|Our|The|This|That|It|BTC|Bitcoin|MSTR|Strategy|MicroStrategy|NAKA|And|But|So|Then|Now|Price|Model|Chart|Data|Math|History|Everyone Who|S2FX?|Everything|Nobody|Still|Also|What|Who|Market|If|When|As|Power|Law|Top|Floor|Technicals|TA|Fibs?|Elliott|Macro|Liquidity|Logic|Don't|Dont|Do|Can't|Please|Always|Never|Just|Not)\b)\p{Lu}[\p{L}\d.&'-]{1,20}(?: \p{Lu}[\p{L}\d.&'-]{0,20}){0,3} (?:just |still |also |now |has |have |once |again |officially )?${SPEAKER_VERB}\b`,
  'u',
)
const RELATIVE = String.raw`my (?:\w+ ){0,2}(?:friend|buddy|mate|brother|bro|sister|dad|mom|mum|father|mother|wife|husband|son|daughter|uncle|aunt|cousin|grandma|grandpa|boss|barber|driver|neighbou?r|co-?worker|colleague|accountant|banker|advisor|adviser|teacher|professor|doctor|dentist|girlfriend|boyfriend|roommate|landlord|kid|nephew|niece|in-law)s?`
const REPORTED = new RegExp(
  String.raw`\b(?:analysts?|experts?|economists?|strategists?|traders?|banks?|bank|ceo|cfo|founder|billionaire|he|she|they|someone|somebody|people|everyone|everybody|influencers?|guru|maxis|bulls|bears|media|report|survey|polymarket|cnbc|jpmorgan|fund|who|guy|dude|${RELATIVE}|_{3,40}) (?:\w+ )?${SPEAKER_VERB}(?:\s|$|:)|\b(?:those|anyone|people|everyone|everybody|bulls|bears|guys|folks|others|many|some|analysts|experts) (?:who (?:are )?|are |is )?(?:predict|call|expect|say|think|scream|shout|promis)ing\b|\b(?:according to|per|via|hat tip|h\/t|rt|quoting|citing) _{3}|\baccording to (?!my|our|the (?:chart|model|math|data|power|s2f)|this|history|s2f|plan)\w|\b(?:breaking|just in|latest|news|headline|report)\s?:|^rt _{2}|\bbet (?:me|us)\b|\b(?:he|she|they|who|someone|somebody|${RELATIVE}) (?:just |has |have )?(?:bets?|wagers?|is betting|are betting)\b`,
  'i',
)
/** "Bitcoin to $200k by EOY, says Expert Alpha". */
const REPORTED_AFTER =
  /(?:^|[\s,-])(?:says?|said|predict(?:s|ed)|claims|warns|reckons|thinks|according to|writes) (?:the )?(?:_{3}|(?!(?:I|My|Our|S2FX?|Elliott|Power)\b)\p{Lu}[\p{L}&]+)/u
const NAME_COLON =
  /^[^\p{L}]*\p{Lu}\p{Ll}+ (?:\p{Lu}\.? )?\p{Lu}\p{Ll}+(?:(?:,| on| at| in| to| via| during) [^:\n]{2,40})?: /u
const NO_NAME =
  /\b(?:mark my|words|price|target|prediction|forecast|bitcoin|btc|update|bold|hot|take|call|my|case|bear|bull|base|month|year|cycle|scenario|short|long|term|end|top|bottom|next|final|thread|reminder|unpopular|opinion|mstr|strategy|outlook|new)/i

/** Whether a sentence says what others say. */
export function isReported(text: string, before: string, after: string): boolean {
  if (NAME_COLON.test(text) && !NO_NAME.test(text.slice(0, text.indexOf(':')))) return true
  if (
    /\b(?:i agree|i'm with|i (?:still |do |also )(?:agree|expect|believe|think)|i stand by)\b/i.test(
      text,
    )
  )
    return false
  return (
    /\b(?:polymarket|kalshi|prediction markets?)\b/i.test(before) ||
    REPORTED_NAME.test(before) ||
    REPORTED.test(before) ||
    REPORTED_AFTER.test(after) ||
    /\b(?:according to|per|via) (?:_{3}|\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+)/u.test(text)
  )
}
