import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#contracts/accounts.ts'
import { projectRoot } from '#server/kit/settings/config.ts'

/** The 10,000 most common, the long ones of the next 20,000, and first names, sorted; from zxcvbn 4.4.2. */
const FILE = join('data', 'common-passwords.txt')
/** Words of this site that an attacker would try first. */
const OF_THIS_SITE =
  'proofofprice proof price bitcoin satoshi administrator reviewer microstrategy'.split(' ')

/** Adjacent characters: rows of the keyboard, the alphabet, the digits. */
const ROWS =
  '1234567890 qwertyuiop asdfghjkl zxcvbnm qwertzuiop azertyuiop abcdefghijklmnopqrstuvwxyz 1qaz 2wsx 3edc 4rfv 5tgb 6yhn 7ujm qaz wsx edc rfv tgb yhn ujm'
const STEPS: ReadonlySet<string> = new Set(
  ROWS.split(' ').flatMap((row) =>
    Array.from(row)
      .slice(1)
      .flatMap((letter, at) => [row.charAt(at) + letter, letter + row.charAt(at)]),
  ),
)

/** Common substitutes for letters. */
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
/** Minimum number of characters beyond a common password for a password not to be considered common. */
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

/** `iloveyoubaby`, `adminpassword`: two common passwords joined. */
function isTwoWords(text: string, words: ReadonlySet<string>): boolean {
  for (let at = 3; at <= text.length - 3; at += 1) {
    if (words.has(text.slice(0, at)) && words.has(text.slice(at))) return true
  }
  return false
}

/** A few runs of adjacent keys, consecutive letters or digits, or one character: `qwertyuiop12`, `112233445566`. */
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

/** @param username null if not yet known @returns a sentence; null for an acceptable password */
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
    return 'This password, or one close to it, is among those that attackers try first. Four unrelated words make a good password.'
  }
  return null
}
