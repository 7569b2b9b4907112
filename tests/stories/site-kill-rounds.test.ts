import { killSites } from '#tests/support/site-kills.ts'
import { expect, it } from 'vitest'

it('a killed site loses nothing and sends nothing twice', async () => {
  expect(await killSites(1)).toBeGreaterThan(1)
})
