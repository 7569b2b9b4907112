import { plainPost } from './plain.ts'

/** Guesses the language of a text, as ISO 639-1; empty without a guess. */
export type LanguageDetector = {
  readonly detect: (text: string) => {
    readonly language: string
    readonly isReliable: () => boolean
  }
}

/** Names spelled the same in every language, and words with digits or in capitals. */
const NAMES =
  /[#$@][\p{L}\d_]+|_+|\b(?:bitcoins?|microstrategy|strategy|nasdaq|ethereum|solana|dollars?|eoy|hodl|ser|szn|frens|wen|wagmi|ngmi|uptober|moonvember|april|august|september|november|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b/giu
const SIGNS = /[\p{Script=Latin}']{0,30}\d[\p{Script=Latin}\d']*|\b[A-Z]{2,5}\b/gu
const NO_LETTERS = /[^\p{L}\p{M}']+/gu
const ENGLISH =
  /^(?:the|of|and|is|will|by|this|it|that|we|you|are|be|with|has|have|i|i'm|my|going|goes|go|hits?|years?|end|ends|price|before|from|what|next|for|to|not|if|was|but|then|our|would|could|at|reach|see|predicts?|call|calls|called|above|below|under|over|support|resistance|january|february|march|june|july|october|december|may|buy|sell|target|soon|new|no|on|up|down|won't|never|stays?|again|high|low|touches|needs|good|zone|close|now|so|eyes|rally|bullish|bearish)$/
/** Typical words of short posts: months and times in German, Spanish, Portuguese, French and Italian. */
const FOREIGN =
  /^(?:ende|anfang|mitte|bis|januar|februar|märz|mai|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|hasta|para|finales|fim|até|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|janvier|février|avril|juin|juillet|août|octobre|décembre|gennaio|febbraio|maggio|giugno|luglio|settembre|ottobre|dicembre|entro)$/
/** Enough characters to detect the language. */
const MOST = 2_000
/** Posts with fewer words, or with this share of English ones, count as English. */
const LEAST_WORDS = 3
const ENGLISH_SHARE = 0.25
/** Posts with at least this share of letters in another script are not English. */
const FOREIGN_SHARE = 0.2

/**
 * The English name of a post's language; null for English. Short posts, tickers and mixed posts count as English unless
 * the detector is sure.
 *
 * @param load loads the detector and its large tables, only if a post is not plainly English
 */
export async function foreignLanguage(text: string, load: () => Promise<LanguageDetector>) {
  const words = plainPost(text.slice(0, MOST))
    .plain.replace(NAMES, ' ')
    .replace(SIGNS, ' ')
    .replace(NO_LETTERS, ' ')
    .trim()
  const letters = words.match(/\p{L}/gu)?.length ?? 0
  const others = words.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0
  const isOtherScript = others > letters * FOREIGN_SHARE
  const each = words.toLowerCase().split(' ')
  const isForeign = each.length < LEAST_WORDS && each.some((word) => FOREIGN.test(word))
  if (!isOtherScript && !isForeign && isPlainlyEnglish(each)) return null
  const guess = (await load()).detect(words.toLowerCase())
  const isSure = isOtherScript || guess.isReliable()
  if (isSure && guess.language !== 'en') return nameOf(guess.language)
  return isForeign ? nameOf('') : null
}

function isPlainlyEnglish(words: readonly string[]): boolean {
  const english = words.filter((word) => ENGLISH.test(word)).length
  return words.length < LEAST_WORDS || english >= words.length * ENGLISH_SHARE
}

function nameOf(language: string): string | null {
  if (language === '') return 'another language'
  // Detectors cannot tell the two apart.
  if (language === 'ms') return 'Malay or Indonesian'
  return new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language
}
