import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#server/kit/settings/config.ts'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#contracts/accounts.ts'

/** The 10,000 most common, the long ones of the next 20,000, and first names, sorted; from zxcvbn 4.4.2. */
const FILE = join('data', 'common-passwords.txt')
/** Words of this site, which a person who knows it tries first. */
const OF_THIS_SITE = [
  'proofofprice',
  'proof',
  'price',
  'bitcoin',
  'satoshi',
  'administrator',
  'reviewer',
  'microstrategy',
]

/** Characters that lie side by side: what fingers or the alphabet put in order. */
const ROWS = [
  '1234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
  '5tgb',
  '6yhn',
  '7ujm',
  'qaz',
  'wsx',
  'edc',
  'rfv',
  'tgb',
  'yhn',
  'ujm',
] as const
const STEPS: ReadonlySet<string> = new Set(
  ROWS.flatMap((row) =>
    Array.from(row)
      .slice(1)
      .flatMap((letter, at) => [row.charAt(at) + letter, letter + row.charAt(at)]),
  ),
)

/** Signs that stand for letters. */
const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
}
/** A password of so many signs beside a common one is not that common one any more. */
const MOST_ADDED = 8

let common: ReadonlySet<string> | null = null

function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')
  if (isInOrder(plain)) return true
  return [plain, unleet(plain)].some((text) => isCommonText(text))
}

function isCommonText(text: string): boolean {
  const words = wordList()
  const inside = text.replaceAll(/^[^a-z]+|[^a-z]+$/g, '')
  const letters = text.replaceAll(/[^a-z]/g, '')
  const forms = [text, inside, letters].filter(
    (form) => form.length >= 4 && text.length - form.length <= MOST_ADDED,
  )
  return forms.some((form) => words.has(form) || isRepeated(form) || isTwoWords(form, words))
}

/** `passwordpassword`, `abcabcabcabc`. */
function isRepeated(text: string): boolean {
  return text.length >= 6 && `${text}${text}`.indexOf(text, 1) < text.length
}

/** `iloveyoubaby`, `adminpassword`: two common ones behind each other. */
function isTwoWords(text: string, words: ReadonlySet<string>): boolean {
  for (let at = 3; at <= text.length - 3; at += 1) {
    if (words.has(text.slice(0, at)) && words.has(text.slice(at))) return true
  }
  return false
}

/** Few runs of keys side by side, of letters or digits in order, or of one sign: `qwertyuiop12`, `112233445566`. */
function isInOrder(text: string): boolean {
  let runs = 0
  let before = ''
  for (const sign of text) {
    if (before === '' || (sign !== before && !STEPS.has(before + sign))) runs += 1
    before = sign
  }
  return runs <= Math.max(2, Math.floor(text.length / 4))
}

function unleet(text: string): string {
  return Array.from(text, (sign) => LETTERS[sign] ?? sign).join('')
}

function wordList(): ReadonlySet<string> {
  common ??= new Set([
    ...readFileSync(join(projectRoot(), FILE), 'utf8').trimEnd().split(/\r?\n/),
    ...OF_THIS_SITE,
  ])
  return common
}

/** Null for a good one. @param username null where it is not known whose it will be */
export function passwordFault(password: string, username: string | null): string | null {
  const letters = Array.from(password.normalize('NFKC'))
  if (letters.length < SHORTEST_PASSWORD) {
    return `A password needs at least ${String(SHORTEST_PASSWORD)} characters.`
  }
  if (letters.length > LONGEST_PASSWORD) {
    return `A password has at most ${String(LONGEST_PASSWORD)} characters.`
  }
  if (new Set(letters).size < 5) return 'This password repeats itself too much.'
  const holdsName = username !== null && password.toLowerCase().includes(username.toLowerCase())
  if (holdsName && letters.length < 20) {
    return 'A password must not contain the user name.'
  }
  if (isCommonPassword(password)) {
    return 'This is one of the passwords that attackers try first, or close to one. Four words that have nothing to do with each other make a good one.'
  }
  return null
}
