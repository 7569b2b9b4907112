import { timingsOf, type ClaimType } from '#domain/claim/claim.ts'
import {
  type PredictionType,
  LEVEL_FIELDS,
  type LevelField,
  type Levels,
  NO_LEVELS,
  claimType,
  levelFields,
  levelsAmong,
  readClaim,
  isFault,
  levelsAt,
} from '#domain/claim/fields.ts'
import { isoDay, readDay } from '#domain/day.ts'
import { foldText, rewritten, type Mapped } from '#domain/fold-text.ts'
import { type Proposal } from '#domain/publishing/post-compose.ts'
import { postWeight, hasUrl, SHORT_POST } from '#domain/publishing/post-length.ts'
import { amountsIn } from './amounts.ts'
import { assetsIn, BITCOIN_ELSEWHERE } from './asset-words.ts'
import { dateBacking, levelBacking, type Backing } from './check-levels.ts'
import { type PostDate } from './date-words.ts'
import { readable } from './full-words.ts'
import { instructionsIn } from './instructions.ts'
import { overlaps, quote, spanning, type Quote, type Span, plainPost } from './plain.ts'
import {
  FIELD_NAMES,
  LOWER_CONFIDENCE,
  type BackedField,
  type CheckedReading,
  type DateField,
  type PostToRead,
  type ReadingDraft,
  type TermField,
} from './reading-fields.ts'

const MOST_PROPOSALS = 3
const UNBACKED = 'The model read a prediction, but the words of the post do not support it.'
const NO_TERMS = { timing: null, direction: null } as const
const DATES = ['target_time', 'prediction_start_date'] as const
/** Types that need supporting words; for the others the level itself is the evidence. */
const NEEDS_WORDS: readonly ClaimType[] = ['top', 'bottom', 'by-date']

/**
 * Checks a model's draft against the words of the post. A field becomes null if its quoted words are missing from the
 * post, lie in a part addressed to machines, or do not support the value; a field that our own rules cannot read loses
 * confidence. Each case adds a note.
 */
export function checkDraft(draft: ReadingDraft, post: PostToRead): CheckedReading {
  const { text } = post
  const posted: PostDate | null =
    post.postedDay === null ? null : { day: post.postedDay, precision: 'day' }
  const notes: string[] = []
  const spans: Partial<Record<BackedField, Quote>> = {}
  let confidence = draft.confidence
  const addNote = (sentence: string): void => {
    notes.push(sentence)
  }
  const note = (sentence: string): void => {
    addNote(sentence)
    confidence = LOWER_CONFIDENCE[confidence]
  }
  const machine = instructionsIn(text)
  if (machine) {
    note('This post tries to instruct the reader software; from there on it is ignored.')
    confidence = 'low'
  }

  const claimed = claimedType(draft)
  const levels: { [field in LevelField]: number | null } = { ...NO_LEVELS }
  for (const [field, { usd, words: quoted }] of claimedLevels(draft, claimed)) {
    const words = quotedWords(field, quoted)
    if (words && bears(field, words, levelBacking(post, words, usd, posted))) levels[field] = usd
  }
  const dates: Record<DateField, string | null> = { target_time: null, prediction_start_date: null }
  for (const field of DATES) {
    const iso = draft[field]
    if (iso === null) continue
    const words = quotedWords(field, draft.words[field])
    const which = field === 'target_time' ? 'deadline' : 'start'
    if (!words || !bears(field, words, dateBacking(post, words, iso, posted, which))) continue
    const day = readDay(iso)
    dates[field] = day === null ? null : isoDay(day)
  }

  const type = checkedType(levels)
  const hasPrediction = draft.has_prediction && type !== null
  if (draft.has_prediction && type === null) {
    note('Nothing of what the model read can be judged.')
  }
  if (!draft.has_prediction && LEVEL_FIELDS.some((field) => draft[field] !== null)) {
    note('The model says that there is no prediction, but names a level.')
  }
  if (!hasPrediction) {
    for (const field of ['prediction_type', ...LEVEL_FIELDS, ...DATES] as const) delete spans[field]
  }
  const terms = hasPrediction ? checkedTerms(draft, claimType(type), hasWords, note) : NO_TERMS
  const asset = checkedAsset()
  return {
    has_prediction: hasPrediction,
    asset_type: asset,
    prediction_type: hasPrediction ? type : null,
    ...(hasPrediction ? levels : NO_LEVELS),
    ...(hasPrediction ? dates : { target_time: null, prediction_start_date: null }),
    ...terms,
    spans,
    expert_name: checkedExpert(draft, post, addNote),
    tweet_proposals: hasPrediction ? validProposals(draft.tweet_proposals, levels, addNote) : [],
    confidence,
    reasoning: draft.has_prediction && !hasPrediction ? UNBACKED : draft.reasoning,
    interpretation_challenges: draft.interpretation_challenges,
    verification_status: machine ? 'suspicious' : draft.verification_status,
    notes,
  }

  /** Finds the quoted words of a field; null, with a note, if they cannot be used. */
  function quotedWords(field: BackedField, words: string | null): Span | null {
    if (words === null) {
      note(
        `The model gives no words of the post for the ${FIELD_NAMES[field]}, so it is left empty.`,
      )
      return null
    }
    const found = findWords(machine ? text.slice(0, machine.start) : text, words)
    if (found) return found
    const why =
      machine && findWords(text, words)
        ? 'are in the part that addresses machines'
        : 'are not in the post'
    note(`The words given for the ${FIELD_NAMES[field]} ${why}, so it is left empty.`)
    return null
  }

  function bears(field: LevelField | DateField, words: Span, backing: Backing): boolean {
    if (backing.backed === 'no') {
      note(`The ${FIELD_NAMES[field]} is left empty: ${backing.why}.`)
      return false
    }
    if (backing.backed === 'perhaps') {
      note(`Please check the ${FIELD_NAMES[field]}: ${backing.why}.`)
    }
    spans[field] = quote(text, words)
    return true
  }

  function checkedType(read: Levels): PredictionType | null {
    const type = claimed
    const { words } = draft
    const places = LEVEL_FIELDS.flatMap((field) => spans[field] ?? [])
    const [first] = places
    if (type === null || !first || isFault(readClaim({ prediction_type: type, ...read })))
      return null
    const place = places.reduce<Span>(spanning, first)
    if (words.prediction_type !== null) {
      const found = findWords(machine ? text.slice(0, machine.start) : text, words.prediction_type)
      if (found) {
        spans.prediction_type = quote(text, found)
        return type
      }
    }
    if (NEEDS_WORDS.includes(claimType(type))) {
      note(`The words that make it a ${type} are not in the post; please check the type.`)
    }
    spans.prediction_type = quote(text, place)
    return type
  }

  function checkedAsset(): ReadingDraft['asset_type'] {
    const { asset_type: asset } = draft
    if (asset === null) return null
    const words = quotedWords('asset_type', draft.words.asset_type)
    if (!words) return null
    const { plain, inPlain } = readable(text)
    const named = assetsIn(plain).filter((one) => overlaps(one, inPlain(words)))
    const isElsewhere = post.language !== null && BITCOIN_ELSEWHERE.test(quote(text, words).words)
    if (named.some((one) => one.asset === asset) || (asset === 'btc' && isElsewhere)) {
      spans.asset_type = quote(text, words)
      return asset
    }
    note('The words given for the asset do not name it, so it is left empty.')
    return null
  }

  function hasWords(field: TermField): boolean {
    const words = quotedWords(field, draft.words[field])
    if (words) spans[field] = quote(text, words)
    return words !== null
  }
}

/** The default timing of a type needs no words. */
function checkedTerms(
  { timing, direction }: ReadingDraft,
  of: ClaimType,
  hasWords: (field: TermField) => boolean,
  note: (sentence: string) => void,
): Pick<ReadingDraft, TermField> {
  const allowed = timingsOf(of)
  const isAllowed = timing === null || allowed.includes(timing)
  if (!isAllowed) note('The timing is left empty: it contradicts the type.')
  const isOther = isAllowed && timing !== allowed[0]
  return {
    timing: timing !== null && isOther && hasWords('timing') ? timing : null,
    direction: direction !== null && hasWords('direction') ? direction : null,
  }
}

function checkedExpert(
  { expert_name: name }: ReadingDraft,
  { author, text }: PostToRead,
  addNote: (sentence: string) => void,
): string | null {
  if (name === null) return null
  if ([author, text].some((one) => one !== null && findWords(one, name) !== null)) return name
  addNote('The name given for the expert is neither in the post nor the name of its author.')
  return null
}

/** The type named by the model, or else suggested by its levels. */
function claimedType(draft: ReadingDraft): PredictionType | null {
  if (draft.prediction_type !== null) return draft.prediction_type
  const isFilled = (type: PredictionType): boolean =>
    levelFields(type).every((field) => draft[field] !== null)
  return (['target', 'range'] as const).find(isFilled) ?? null
}

type Claimed = { readonly usd: number; readonly words: string | null }

/** The quoted levels in the fields that the type uses; others are dropped. */
function claimedLevels(draft: ReadingDraft, type: PredictionType | null) {
  if (type === null) return []
  const drafted = levelsAt((field): Claimed | null => {
    const usd = draft[field]
    return usd === null ? null : { usd, words: draft.words[field] }
  })
  const found = levelsAmong(type, drafted, true).map(({ value }) => value)
  // Models mix up the ends of a range.
  if (found.every((one) => one !== null)) found.sort((a, b) => a.usd - b.usd)
  return levelFields(type).flatMap((field, i) => {
    const level = found[i] ?? null
    return level === null ? [] : [[field, level] as const]
  })
}

/** Proposals that fit into a post, contain no link, and name no prices other than those of the reading. */
function validProposals(
  proposals: readonly Proposal[],
  levels: Levels,
  addNote: (sentence: string) => void,
): readonly Proposal[] {
  const known = Object.values(levels)
  const valid = proposals.filter(({ text }) => {
    const amounts = amountsIn(plainPost(text).plain)
    const prices = amounts.filter((one) => one.kind === 'usd' || one.unit !== null)
    return (
      text.trim() !== '' &&
      postWeight(text) <= SHORT_POST &&
      !hasUrl(text) &&
      !text.includes('://') &&
      prices.every((one) => known.includes(one.value))
    )
  })
  if (valid.length < proposals.length) {
    addNote('Proposals that are too long, contain a link or name another price are left out.')
  }
  return valid.slice(0, MOST_PROPOSALS)
}

const ENDS = /^[\s"'.,;:…[\](){}]+|[\s"'.,;:…[\](){}]+$/g
const WORD = /[\p{L}\p{N}]/u
const DIGIT = /\p{N}/u
/** Scripts without spaces between words, or with affixes on names. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Arabic}\p{Script=Cyrillic}\u30FC]/u

/**
 * Finds words in a text, ignoring case and the amount of space. Parts of words do not count: "5k" is not in "125k". In
 * scripts without spaces any position counts, except within a number.
 */
export function findWords(text: string, words: string): Span | null {
  const wordsInPost = folded(words).plain.replaceAll(ENDS, '')
  if (wordsInPost === '') return null
  const { plain, starts, ends } = folded(text)
  for (let at = plain.indexOf(wordsInPost); at >= 0; at = plain.indexOf(wordsInPost, at + 1)) {
    const end = at + wordsInPost.length
    if (joins(plain, at - 1, at) || joins(plain, end - 1, end)) continue
    return { start: starts[at] ?? 0, end: ends[end - 1] ?? text.length }
  }
  return null
}

/** Whether two neighbouring characters belong to the same word. */
function joins(plain: string, left: number, right: number): boolean {
  const [before, after] = [plain.charAt(left), plain.charAt(right)]
  if (!WORD.test(before) || !WORD.test(after)) return false
  if (DIGIT.test(before) && DIGIT.test(after)) return true
  return !UNSPACED.test(before) && !UNSPACED.test(after)
}

function folded(text: string): Mapped {
  const found = rewritten(foldText(text), /\s+/g, () => ' ')
  const plain = Array.from(found.plain, (one) => {
    const small = one.toLowerCase()
    return small.length === one.length ? small : one
  }).join('')
  return { ...found, plain }
}
