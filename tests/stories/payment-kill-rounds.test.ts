import { killWhilePaying } from '#tests/support/payment-kills.ts'
import { expect, it } from 'vitest'

it('a site loses no sat, no submission, no report and no receipt of a zap when it is killed', async () => {
  expect(await killWhilePaying(1)).toBeGreaterThan(1)
})
