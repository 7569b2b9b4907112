import { describe, expect, it } from 'vitest'
import { isPasswordHash, passwordHasher } from './passwords.ts'

const cheap = passwordHasher({ memoryKib: 64, passes: 1 })

/** Hash of "pässword-of-2026" by Node's own `crypto.argon2`, which the site used until November 2026. */
const OLDER = [
  '$argon2id$v=19$m=65536,t=3,p=1$Q6p0lFpnPgc9gUQ6IsSlHQ$Fd/G6xkt7VRSX3k3fVee7b06MT9ZCOvGX1GMN9oPEEQ',
  '$argon2id$v=19$m=64,t=2,p=1$rRl2hpOJaug/KY4PFN6PyA$+VKFk9SSuLy0nY7rmRXF6d930ZFsFKS/F+pTEOfROmY',
  '$argon2id$v=19$m=64,t=1,p=4$evJ1gZ3eSK5+OxXU5M2KOw$TayBvY8998m2MAvBh1a3hPg8farCQn6g3lz3mJ1PLc4',
]

describe('a password', () => {
  it('is verified by its hash', async () => {
    const stored = await cheap.hash('pässword-of-2026')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
    expect(await cheap.matches('pässword-of-2026', stored)).toBe(true)
    expect(await cheap.matches('pa\u0308ssword-of-2026', stored)).toBe(true)
    expect(await cheap.matches('password-of-2026', stored)).toBe(false)
    expect(await cheap.matches('pässword-of-2026', null)).toBe(false)
    expect(await cheap.hash('pässword-of-2026')).not.toBe(stored)
  })

  it.each(OLDER)('is verified by a hash of an earlier version: %s', async (stored) => {
    expect(isPasswordHash(stored)).toBe(true)
    expect(await cheap.matches('pässword-of-2026', stored)).toBe(true)
    expect(await cheap.matches('another-of-2026', stored)).toBe(false)
  })
})

it('passwords are hashed a few at a time, and refused beyond the queue limit', async () => {
  const hasher = passwordHasher({ memoryKib: 64, passes: 1 })
  // Four run while sixteen wait, and none finishes before all have been requested.
  const request = Array.from({ length: 25 }, (_, n) => hasher.hash(`pässword-of-${String(n)}`))
  const answers = await Promise.allSettled(request)
  const isRefused = answers.map(({ status }) => status === 'rejected')
  expect(isRefused).toEqual(Array.from({ length: 25 }, (_, n) => n >= 20))
  expect(answers.at(-1)).toMatchObject({ reason: { code: 'unavailable' } })
  expect(await hasher.hash('pässword-of-2026')).toMatch(/^\$argon2id/)
})

const [SALT, KEY] = ['A'.repeat(22), 'B'.repeat(42)]

it.each([
  ['', 'nothing'],
  ['password', 'plain text'],
  [`$argon2i$v=19$m=64,t=1,p=1$${SALT}$${KEY}A`, 'another algorithm'],
  [`$argon2id$v=16$m=64,t=1,p=1$${SALT}$${KEY}A`, 'another version'],
  [`$argon2id$v=19$m=2000000,t=1,p=1$${SALT}$${KEY}A`, 'too much memory'],
  [`$argon2id$v=19$m=64,t=21,p=1$${SALT}$${KEY}A`, 'too many passes'],
  [`$argon2id$v=19$m=16,t=1,p=4$${SALT}$${KEY}A`, 'too little memory for its lanes'],
  ['$argon2id$v=19$m=64,t=1,p=1$AAAA$AAAA', 'a short key'],
  [`$argon2id$v=19$m=64,t=1,p=1$${SALT}$${KEY}!`, 'letters outside of base64'],
])('%s is rejected as a hash: %s', async (text) => {
  expect(isPasswordHash(text)).toBe(false)
  expect(await cheap.matches('pässword-of-2026', text)).toBe(false)
})
