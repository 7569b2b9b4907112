import { expect, it } from 'vitest'
import { words } from '#tests/support/words.ts'
import { passwordFault } from './common-passwords.ts'

it.each([
  ...words(`
    123456789012 password1234 qwertyuiop12 Passw0rd1234 P@ssw0rd2026! passwordpassword
    1qaz2wsx3edc qwertzuiop99 abcdefghijkl asdfghjkl;12 112233445566 987654321098 counterstrike
    sonyericsson1 Jennifer1987! !!dragon2024!! iloveyou1234 adminpassword Bitcoin2026!!
    proofofprice1 letmeinletmein abc1abc1abc1 reviewer2026 microstrategy1 satoshi19990 administrator
  `),
  'Password Password',
])('a new password is not %s, which is easily guessed', (password) => {
  expect(passwordFault(password, 'ada')).toMatch(/attackers try first|repeats itself/)
})

it.each([
  'correct horse battery staple',
  'another long password',
  'Tr0ub4dor&3xyzQ',
  'k3R9vq2LmZx8',
  'seven green lamps hum',
  'dragon 7319 46 20 88 51 93',
  'Zürich-Öl-Tücher',
  'この鳥は毎朝早く歌う声がする',
])('a new password may be %s', (password) => {
  expect(passwordFault(password, 'ada')).toBeNull()
})

it('a new password has its other faults named', () => {
  expect(passwordFault('k3R9vq2LmZx', 'ada')).toBe('A password needs at least 12 characters.')
  expect(passwordFault('x'.repeat(257), 'ada')).toBe('A password has at most 256 characters.')
  expect(passwordFault('aabbaabbaabbaab', 'ada')).toBe('This password repeats itself too much.')
  expect(passwordFault('k3R9-Grace-q2Lm', 'grace')).toBe(
    'A password must not contain the user name.',
  )
})
