import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#contracts/admins.ts'
import { isCommonPassword } from './common-passwords.ts'

/**
 * What is wrong with a new password, as a sentence; null when nothing is.
 *
 * @param username null where it is not known whose it will be
 */
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
