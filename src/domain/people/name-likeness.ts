import { foldHandle, foldName } from './name.ts'

export type Named = {
  readonly id: number
  readonly names: readonly string[]
  readonly handles: readonly string[]
}

export type LikelyPair = {
  readonly first: number
  readonly second: number
  readonly score: number
  /** Why they may be the same person, as a sentence. */
  readonly why: string
}

/** Shorter names that differ by one letter are different people, such as Tom Lee and Tim Lee. */
const SHORTEST = 8
/** Keys shared by more people are too common to compare by. */
const MOST_ALIKE = 12

/**
 * Pairs that may be the same person, most alike first: the same letters in another order or spacing, a handle that
 * spells the other's name, or a spelling one letter off. Only people who share a key are compared, so time grows with
 * the number of people, not pairs.
 */
export function likelyPairs(people: readonly Named[]): LikelyPair[] {
  const byKey = new Map<string, { id: number; text: string }[]>()
  const put = (key: string, id: number, text: string): void => {
    const known = byKey.get(key)
    if (!known) byKey.set(key, [{ id, text }])
    else if (known.every((one) => one.id !== id || one.text !== text)) known.push({ id, text })
  }
  for (const { id, names, handles } of people) {
    for (const name of names) for (const key of nameKeys(name)) put(key, id, name)
    for (const handle of handles) for (const key of handleKeys(handle)) put(key, id, handle)
  }
  const best = new Map<string, LikelyPair>()
  for (const [key, alike] of byKey) {
    if (alike.length > MOST_ALIKE) continue
    for (const [i, a] of alike.entries()) {
      for (const b of alike.slice(i + 1)) {
        const pair = a.id === b.id ? null : judgePair(key, a, b)
        const id = `${String(pair?.first)} ${String(pair?.second)}`
        if (pair && pair.score > (best.get(id)?.score ?? 0)) best.set(id, pair)
      }
    }
  }
  return [...best.values()].toSorted(
    (a, b) => b.score - a.score || a.first - b.first || a.second - b.second,
  )
}

const KINDS = {
  same: { score: 3, how: 'are the same letters' },
  order: { score: 2, how: 'are the same words in another order' },
  near: { score: 1, how: 'differ by a letter' },
} as const

function judgePair(key: string, a: { id: number; text: string }, b: { id: number; text: string }) {
  const kind = key.slice(0, key.indexOf(' ')) as keyof typeof KINDS
  // Names that share a key after dropping a letter may still be two letters apart.
  if (kind === 'near' && !isNear(squeezed(a.text), squeezed(b.text))) return null
  const [first, second] = a.id < b.id ? [a, b] : [b, a]
  const { score, how } = KINDS[kind]
  const why = `“${first.text}” and “${second.text}” ${how}.`
  return { first: first.id, second: second.id, score, why }
}

function nameKeys(name: string): string[] {
  const words = foldName(name).split(' ')
  const plain = words.join('')
  if (plain === '') return []
  const keys = [`same ${plain}`]
  if (words.length > 1) keys.push(`order ${words.toSorted().join(' ')}`)
  return [...keys, ...nearKeys(plain)]
}

function handleKeys(handle: string): string[] {
  const plain = squeezed(foldHandle(handle))
  return plain === '' ? [] : [`same ${plain}`, ...nearKeys(plain)]
}

function nearKeys(plain: string): string[] {
  if (plain.length < SHORTEST) return []
  const keys = new Set([`near ${plain}`])
  for (let i = 0; i < plain.length; i += 1) {
    keys.add(`near ${plain.slice(0, i)}${plain.slice(i + 1)}`)
  }
  return [...keys]
}

/** Letters and digits only. */
function squeezed(text: string): string {
  return foldName(text.replace(/^@/, '')).replaceAll(' ', '')
}

/** Whether one letter was added, dropped or changed, or two neighbours swapped. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  const most = Math.min(a.length, b.length) - start
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

const SHORT_FORMS: readonly (readonly string[])[] = [
  ['alexander', 'alex', 'sandy'],
  ['andrew', 'andy', 'drew'],
  ['anthony', 'tony'],
  ['benjamin', 'ben'],
  ['catherine', 'katherine', 'cathie', 'cathy', 'kate', 'kathy'],
  ['charles', 'charlie', 'chuck'],
  ['christopher', 'chris'],
  ['daniel', 'dan', 'danny'],
  ['david', 'dave'],
  ['edward', 'ed', 'eddie', 'ted'],
  ['elizabeth', 'liz', 'beth'],
  ['gregory', 'greg'],
  ['james', 'jim', 'jimmy', 'jamie'],
  ['jeffrey', 'jeff'],
  ['jonathan', 'jon'],
  ['joseph', 'joe'],
  ['kenneth', 'ken'],
  ['lawrence', 'larry'],
  ['matthew', 'matt'],
  ['michael', 'mike', 'mick', 'micheal'],
  ['nicholas', 'nick'],
  ['patrick', 'pat'],
  ['peter', 'pete'],
  ['philip', 'phil', 'phillip'],
  ['raymond', 'ray'],
  ['richard', 'rich', 'rick', 'dick'],
  ['robert', 'rob', 'bob', 'bobby'],
  ['ronald', 'ron'],
  ['samuel', 'sam'],
  ['stephen', 'steven', 'steve'],
  ['thomas', 'tom', 'tommy'],
  ['timothy', 'tim'],
  ['william', 'will', 'bill', 'billy'],
]
const FULL_FORM = new Map(
  SHORT_FORMS.flatMap(([full = '', ...short]) => short.map((one) => [one, full])),
)

/**
 * How one name is a variant of the other: a firm in brackets, another order, a nickname, or one letter off; null if
 * they are not alike.
 */
export function likenessOf(name: string, known: string): string | null {
  const [a, b] = [wordsOf(name), wordsOf(known)]
  if (a.length === 0 || b.length === 0) return null
  if (a.join('') === b.join('')) return 'spelled a little differently'
  if (a.toSorted().join(' ') === b.toSorted().join(' ')) return 'in another order'
  const full = (words: readonly string[]) =>
    words
      .map((word) => FULL_FORM.get(word) ?? word)
      .toSorted()
      .join(' ')
  if (a.length > 1 && full(a) === full(b)) return 'with a nickname'
  const [plain, other] = [a.join(''), b.join('')]
  const isLong = Math.min(plain.length, other.length) >= SHORTEST
  return isLong && isNear(plain, other) ? 'a letter off' : null
}

/** Words of a name, without text in brackets such as a firm. */
function wordsOf(name: string): string[] {
  return foldName(name.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' '))
    .split(' ')
    .filter(Boolean)
}
