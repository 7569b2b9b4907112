// Over 400 lines: a regular-expression engine that counts its steps, and the texts that make it slow.
/**
 * Counts what a regular expression does: a matcher that tries and takes back as the engine does, and counts each try. A
 * clock cannot prove that a text is read in linear time; a count can, on any machine.
 *
 * Over 400 lines: a parser of expressions and a matcher, which make no sense apart.
 */

type Node =
  | { readonly kind: 'one'; readonly token: string; readonly fits: (sign: string) => boolean }
  | { readonly kind: 'edge'; readonly token: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'look'; readonly behind: boolean; readonly not: boolean; readonly of: Node }
  | { readonly kind: 'group'; readonly index: number | null; readonly of: Node }
  | { readonly kind: 'same'; readonly index: number }
  | {
      readonly kind: 'loop'
      readonly of: Node
      readonly min: number
      readonly max: number
      readonly lazy: boolean
    }
  | { readonly kind: 'all'; readonly of: readonly Node[] }
  | { readonly kind: 'any'; readonly of: readonly Node[] }

type Captures = (readonly [number, number] | undefined)[]
type Next = (at: number) => boolean
type Run = { readonly text: string; readonly captures: Captures; steps: number }
/** A pattern that takes more than this for one text is stopped: some never end. */
const MOST_STEPS = 1_000_000

class TooManySteps extends Error {}

function step(run: Run, steps = 1): void {
  run.steps += steps
  if (run.steps > MOST_STEPS) throw new TooManySteps('The pattern takes too many steps.')
}
type Matcher = (run: Run, at: number, next: Next) => boolean

type Counted = {
  readonly found: readonly [start: number, end: number] | null
  readonly steps: number
}

const parsed = new Map<string, { tree: Node; match: Matcher }>()

/** Where the pattern matches from its `lastIndex` on, and in how many steps; infinite where it was stopped. */
export function countedExec(pattern: RegExp, text: string): Counted {
  const { match } = compiled(pattern)
  const run: Run = { text, captures: [], steps: 0 }
  try {
    return { found: firstMatch(pattern, match, run), steps: run.steps }
  } catch (error) {
    if (error instanceof TooManySteps) return { found: null, steps: Infinity }
    throw error
  }
}

function firstMatch(pattern: RegExp, match: Matcher, run: Run): Counted['found'] {
  const { text } = run
  let start = pattern.global || pattern.sticky ? pattern.lastIndex : 0
  while (start <= text.length) {
    let end = -1
    run.captures.length = 0
    step(run)
    const isFound = match(run, start, (at) => {
      end = at
      return true
    })
    if (isFound) return [start, end]
    if (pattern.sticky) break
    start += pattern.unicode ? signAt(text, start).length || 1 : 1
  }
  return null
}

/**
 * Steps of one pattern while `work` runs. Where the count and the engine do not find the same place, it throws: then the
 * count would prove nothing. Infinite where one text took so many that it was stopped.
 *
 * @param name as of `patternsOf`
 */
export function stepsOf(name: string, work: () => void): number {
  let steps = 0
  watching(work, (pattern, text, run) => {
    if (pattern.source.length + 2 > name.length || nameOf(pattern) !== name) return run()
    const { lastIndex } = pattern
    const counted = countedExec(pattern, text)
    steps += counted.steps
    if (counted.steps === Infinity) return null
    const found = run()
    const [start, end] = counted.found ?? []
    if (found?.index !== start || (found && found.index + found[0].length !== end)) {
      throw new Error(`${name} is counted wrongly from ${String(lastIndex)} on`)
    }
    return found
  })
  return steps
}

/** The patterns that `work` uses, by name. */
export function patternsOf(work: () => void): ReadonlyMap<string, RegExp> {
  const used = new Map<string, RegExp>()
  const seen = new Set<string>()
  watching(work, (pattern, _text, run) => {
    const { source } = pattern
    if (!seen.has(source)) {
      seen.add(source)
      used.set(nameOf(pattern), new RegExp(source, pattern.flags.replace('y', '')))
    }
    return run()
  })
  return used
}

/** To split a text, the engine makes a sticky copy of a pattern. */
function nameOf({ source, flags }: RegExp): string {
  return `/${source}/${flags.replace('y', '')}`
}

type Watch = (
  pattern: RegExp,
  text: string,
  run: () => RegExpExecArray | null,
) => RegExpExecArray | null

/** Every method of texts and patterns goes by `exec`, so whatever is matched passes by the watch. */
function watching(work: () => void, watch: Watch): void {
  const patterns: { exec: (this: RegExp, text: string) => RegExpExecArray | null } =
    RegExp.prototype
  const own = patterns.exec
  function watched(this: RegExp, text: string): RegExpExecArray | null {
    // The watch uses patterns, too.
    patterns.exec = own
    try {
      return watch(this, text, () => own.call(this, text))
    } finally {
      patterns.exec = watched
    }
  }
  patterns.exec = watched
  try {
    work()
  } finally {
    patterns.exec = own
  }
}

/**
 * Texts that make a pattern work hard: for each of its loops without end, what comes before it and then one pass of the
 * loop many times, or both many times, and at the end a sign that fits nothing.
 */
export function hostileTexts(pattern: RegExp): readonly ((passes: number) => string)[] {
  const { tree } = compiled(pattern)
  return loopsIn(tree, '').flatMap(({ before, pass }) => [
    (passes: number) => `${before}${pass.repeat(passes)}\u0001`,
    (passes: number) => `${(before + pass).repeat(passes)}\u0001`,
  ])
}

function compiled(pattern: RegExp): { tree: Node; match: Matcher } {
  const key = String(pattern)
  const had = parsed.get(key)
  if (had) return had
  const tree = parse(pattern)
  const made = { tree, match: matcherOf(tree, pattern) }
  parsed.set(key, made)
  return made
}

/** The sign at a place: a code point, as of the patterns that go by units none has a sign beyond one unit. */
function signAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function parse(pattern: RegExp): Node {
  const { source } = pattern
  const flags = `${pattern.ignoreCase ? 'i' : ''}${pattern.unicode ? 'u' : ''}${pattern.dotAll ? 's' : ''}`
  const names = [...source.matchAll(/\((?:\?<(?![=!])(?<name>[^>]+)>|(?!\?))/g)].map(
    (found) => found.groups?.['name'] ?? null,
  )
  let at = 0
  let groups = 0

  function one(token: string): Node {
    const fits = new Map<string, boolean>()
    const tester = new RegExp(`^(?:${token})$`, flags)
    return {
      kind: 'one',
      token,
      fits: (sign) => {
        const known = fits.get(sign)
        if (known !== undefined) return known
        const is = tester.test(sign)
        fits.set(sign, is)
        return is
      },
    }
  }

  function either(): Node {
    const of = [sequence()]
    while (source[at] === '|') {
      at += 1
      of.push(sequence())
    }
    return of.length === 1 && of[0] ? of[0] : { kind: 'any', of }
  }

  function sequence(): Node {
    const of: Node[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') of.push(looped(atom()))
    return { kind: 'all', of }
  }

  function atom(): Node {
    const rest = source.slice(at)
    const group = /^\((?:\?(?:(<?[=!])|:|<[^>]+>))?/.exec(rest)
    if (group) {
      at += group[0].length
      const captures = group[0] === '(' || (group[0].startsWith('(?<') && group[1] === undefined)
      const index = captures ? (groups += 1) : null
      const of = either()
      at += 1
      const look = group[1]
      if (look === undefined) return { kind: 'group', index, of }
      return { kind: 'look', behind: look.startsWith('<'), not: look.endsWith('!'), of }
    }
    const escape =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]+\}|u\{[^}]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|k<[^>]+>|.))/u
    // Patterns without `u` go by UTF-16 units: an emoji in them is two.
    const token = escape.exec(rest)?.[0] ?? (pattern.unicode ? signAt(rest, 0) : rest.charAt(0))
    at += token.length
    if (token === '^' || token === '$' || token === '\\b' || token === '\\B') {
      return { kind: 'edge', token }
    }
    if (token.startsWith('\\k<')) {
      return { kind: 'same', index: names.indexOf(token.slice(3, -1)) + 1 }
    }
    if (/^\\[1-9]$/.test(token)) return { kind: 'same', index: Number(token[1]) }
    return one(token)
  }

  function looped(of: Node): Node {
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/.exec(source.slice(at))
    if (!found) return of
    at += found[0].length
    const [, sign, low = '', comma, high = '', lazy] = found
    const min = sign === undefined ? Number(low) : sign === '+' ? 1 : 0
    const most = high === '' ? Infinity : Number(high)
    const max = sign === undefined ? (comma === '' ? min : most) : sign === '?' ? 1 : Infinity
    return { kind: 'loop', of, min, max, lazy: lazy === '?' }
  }

  return either()
}

function matcherOf(node: Node, pattern: RegExp): Matcher {
  switch (node.kind) {
    case 'one':
      return (run, at, next) => {
        step(run)
        const sign = pattern.unicode ? signAt(run.text, at) : run.text.charAt(at)
        return sign !== '' && node.fits(sign) && next(at + sign.length)
      }
    case 'edge':
      return (run, at, next) => {
        step(run)
        return isEdge(node.token, run.text, at, pattern.multiline) && next(at)
      }
    case 'look':
      return lookMatcher(node, pattern)
    case 'group': {
      const inner = matcherOf(node.of, pattern)
      const { index } = node
      if (index === null) return inner
      return (run, at, next) => {
        const had = run.captures[index]
        const isFound = inner(run, at, (end) => {
          const before = run.captures[index]
          run.captures[index] = [at, end]
          if (next(end)) return true
          run.captures[index] = before
          return false
        })
        if (!isFound) run.captures[index] = had
        return isFound
      }
    }
    case 'same':
      return (run, at, next) => {
        const [start, end] = run.captures[node.index] ?? [0, 0]
        const same = run.text.slice(start, end)
        step(run, 1 + same.length)
        const there = run.text.slice(at, at + same.length)
        const isSame = pattern.ignoreCase
          ? there.toLowerCase() === same.toLowerCase()
          : there === same
        return isSame && next(at + same.length)
      }
    case 'all':
      return node.of
        .map((one) => matcherOf(one, pattern))
        .reduceRight<Matcher>(
          (then, first) => (run, at, next) => first(run, at, (end) => then(run, end, next)),
          (_run, at, next) => next(at),
        )
    case 'any': {
      const ways = node.of.map((one) => matcherOf(one, pattern))
      return (run, at, next) => ways.some((way) => way(run, at, next))
    }
    case 'loop':
      return node.of.kind === 'one' && !node.lazy
        ? runMatcher(node.of, node, pattern)
        : loopMatcher(node, pattern)
  }
}

/** A greedy loop over single signs: to its end, and back sign by sign. */
function runMatcher(
  { fits }: Extract<Node, { kind: 'one' }>,
  { min, max }: { min: number; max: number },
  pattern: RegExp,
): Matcher {
  return (run, at, next) => {
    const ends = [at]
    let end = at
    while (ends.length <= max) {
      step(run)
      const sign = pattern.unicode ? signAt(run.text, end) : run.text.charAt(end)
      if (sign === '' || !fits(sign)) break
      end += sign.length
      ends.push(end)
    }
    while (ends.length > min) {
      const last = ends.pop()
      step(run)
      if (last !== undefined && next(last)) return true
    }
    return false
  }
}

function loopMatcher(
  { of, min, max, lazy }: Extract<Node, { kind: 'loop' }>,
  pattern: RegExp,
): Matcher {
  const inner = matcherOf(of, pattern)
  const pass = (run: Run, at: number, done: number, next: Next): boolean => {
    step(run)
    const again = (): boolean =>
      done < max &&
      // A pass over nothing, beyond those that have to be, ends the loop.
      inner(run, at, (end) => (end > at || done < min) && pass(run, end, done + 1, next))
    if (done < min) return again()
    return lazy ? next(at) || again() : again() || next(at)
  }
  return (run, at, next) => pass(run, at, 0, next)
}

function lookMatcher(
  { of, behind, not }: Extract<Node, { kind: 'look' }>,
  pattern: RegExp,
): Matcher {
  const inner = matcherOf(of, pattern)
  const longest = behind ? longestOf(of) : 0
  return (run, at, next) => {
    let isThere = false
    if (behind) {
      for (let start = at; !isThere && start >= Math.max(0, at - longest); start -= 1) {
        isThere = inner(run, start, (end) => end === at)
      }
    } else isThere = inner(run, at, () => true)
    return isThere !== not && next(at)
  }
}

function isEdge(
  token: '^' | '$' | '\\b' | '\\B',
  text: string,
  at: number,
  lines: boolean,
): boolean {
  if (token === '^') return at === 0 || (lines && /[\n\r\u2028\u2029]/.test(text.charAt(at - 1)))
  if (token === '$')
    return at === text.length || (lines && /[\n\r\u2028\u2029]/.test(text.charAt(at)))
  const isWord = (place: number): boolean => /^\w$/.test(text.charAt(place))
  return (isWord(at - 1) !== isWord(at)) === (token === '\\b')
}

function longestOf(node: Node): number {
  switch (node.kind) {
    case 'one':
      return 2
    case 'edge':
    case 'look':
      return 0
    case 'same':
      return Infinity
    case 'group':
      return longestOf(node.of)
    case 'loop':
      return node.max * longestOf(node.of)
    case 'all':
      return node.of.reduce((sum, one) => sum + longestOf(one), 0)
    case 'any':
      return Math.max(...node.of.map(longestOf))
  }
}

const SAMPLES = Array.from(
  ' a1.$,-?!)"\'kxXsyKQ%~:>/@(]&_=#+\n\u2026\u{1F680}\u00E9\u0080\u20AC\u00A3',
)

/** A short text that fits. */
function sampleOf(node: Node): string {
  switch (node.kind) {
    case 'one':
      return (
        SAMPLES.find((sign) => node.fits(sign)) ??
        (node.fits(node.token) ? node.token : node.token.replace('\\', ''))
      )
    case 'edge':
    case 'look':
    case 'same':
      return ''
    case 'group':
      return sampleOf(node.of)
    case 'loop':
      return sampleOf(node.of).repeat(node.min)
    case 'all':
      return node.of.map(sampleOf).join('')
    case 'any':
      return node.of[0] ? sampleOf(node.of[0]) : ''
  }
}

type Loop = { readonly before: string; readonly pass: string }

/** Loops without end, each with a text that leads to it. */
function loopsIn(node: Node, before: string): readonly Loop[] {
  switch (node.kind) {
    case 'one':
    case 'edge':
    case 'same':
      return []
    case 'look':
    case 'group':
      return loopsIn(node.of, before)
    case 'any':
      return node.of.flatMap((one) => loopsIn(one, before))
    case 'all': {
      let lead = before
      return node.of.flatMap((one) => {
        const found = loopsIn(one, lead)
        lead += sampleOf(one)
        return found
      })
    }
    case 'loop':
      return [
        ...(node.max === Infinity ? passesOf(node.of).map((pass) => ({ before, pass })) : []),
        ...loopsIn(node.of, before),
      ]
  }
}

/** One pass of a loop: for alternatives each of them, for a class of signs each kind of sign. */
function passesOf(node: Node): readonly string[] {
  if (node.kind === 'group') return passesOf(node.of)
  if (node.kind === 'any') return node.of.flatMap(passesOf).slice(0, 12)
  if (node.kind === 'one') {
    const signs = SAMPLES.filter((sign) => node.fits(sign))
    return signs.length === 0 ? [sampleOf(node)] : signs.slice(0, 6)
  }
  return [sampleOf(node)]
}
