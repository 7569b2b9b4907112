import { killSites } from '#tests/support/site-kills.ts'
import { expect, it } from 'vitest'

/** `KILL_ROUNDS=100 npm test -- deep` for the long run. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 40)

it(
  `a site loses nothing and sends nothing twice in ${String(ROUNDS)} rounds of kill -9`,
  async () => {
    expect(await killSites(ROUNDS)).toBeGreaterThan(ROUNDS)
  },
  300_000 + ROUNDS * 60_000,
)
