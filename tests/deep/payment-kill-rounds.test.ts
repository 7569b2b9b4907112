import { killWhilePaying } from '#tests/support/payment-kills.ts'
import { expect, it } from 'vitest'

const ROUNDS = 40

it(
  `a site loses no sat, no submission, no report and no receipt of a zap in ${String(ROUNDS)} rounds of kill -9`,
  async () => {
    expect(await killWhilePaying(ROUNDS)).toBeGreaterThan(ROUNDS)
  },
  ROUNDS * 60_000,
)
