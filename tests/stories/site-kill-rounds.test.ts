import { killSites } from '#tests/support/site-kills.ts'
import { expect, it } from 'vitest'

it('a site loses nothing and sends nothing twice when it is killed', async () => {
  expect(await killSites(1)).toBeGreaterThan(1)
})
