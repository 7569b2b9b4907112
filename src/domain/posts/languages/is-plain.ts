import { type AssetMention } from '#domain/posts/asset-words.ts'
import { type DateMention } from '#domain/posts/dates.ts'
import { type Level } from '#domain/posts/levels.ts'
import { type Sentence } from '#domain/posts/plain.ts'
import { TRAP } from './gloss.ts'

/** Words of a post in another language, in English, that say that it is still ahead. */
const AHEAD =
  /\b(?:will|before|within)\b|\b(?:by|until) (?:EOY|end|mid|early|next|20\d\d|(?:\d{1,2} )?[A-Z])/
/** A word that is not known right before a bare date: "the summer of 2027" is not all of 2027. */
const UNKNOWN_BEFORE = /_[_ ]*$/
const BARE_DATE = /^(?:\d|[A-Z](?!OY))/
/** Words that are not known before the name, in its clause: "my grandmother has said" in words of some language. */
const MOST_WORDS = 2
/** The same where words have no blanks between them. */
const MOST_SIGNS = 4
const NO_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const I_SAY =
  /(?<!\p{L})(?:je|j'|ich|yo|creo|eu|acho|io|credo|penso|saya|ben|я|думаю|أنا|मैं|मुझे)(?!\p{L})|我(?=[觉覺认認看想预預猜估个個])|[私僕俺]は|나는|저는/iu
/** A number of other things: "100.000 followers", not "150k, remember that". */
const OF_THINGS = /^ ?_/

/** A level in a post that is not in English, which has been put in English word by word. */
export type GlossedLevel = {
  readonly plain: string
  readonly sentence: Sentence
  readonly level: Level
  readonly levels: readonly Level[]
  readonly dates: readonly DateMention[]
  /** The name of its asset. */
  readonly asset: AssetMention | null
  /** The words of the post before it. */
  readonly lead: string
  /** The words of the post for it. */
  readonly written: string
  /** Its deadline. */
  readonly date: DateMention | undefined
}

/**
 * Whether it may be read: word by word no more is understood than one level of a named asset that is still ahead, in a
 * sentence without any word that could turn it.
 *
 * @param begun the period of the deadline began before the post
 */
export function isPlain(said: GlossedLevel, begun: boolean): boolean {
  const { plain, sentence, level, date } = said
  const inSentence = (one: { start: number; end: number }): boolean =>
    one.start < sentence.end && one.end > sentence.start
  if (sentence.text.includes(TRAP) || said.asset === null || date === undefined) return false
  const lead = plain.slice(Math.max(sentence.start, said.asset.start - 200), said.asset.start)
  const clause = lead.split(/[,;:.!\n]/).at(-1) ?? ''
  const [unknown, most] = NO_BLANKS.test(said.lead) ? [/_/g, MOST_SIGNS] : [/_+/g, MOST_WORDS]
  if ((clause.match(unknown)?.length ?? 0) > most && !I_SAY.test(said.lead)) return false
  if (said.levels.filter(inSentence).length > 1 || said.dates.filter(inSentence).length > 1)
    return false
  const words = plain.slice(date.start, date.end)
  const isPart = BARE_DATE.test(words) && UNKNOWN_BEFORE.test(plain.slice(0, date.start).slice(-24))
  if (words.includes('_') || isPart) return false
  const isMoney =
    /\$|dollar/i.test(plain.slice(level.start, level.end)) || /[kк]$/iu.test(said.written)
  if (!isMoney && OF_THINGS.test(plain.slice(level.end))) return false
  return !begun || AHEAD.test(sentence.text)
}
