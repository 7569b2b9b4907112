import { expect, it } from 'vitest'
import { listExpertsAdmin } from '#contracts/corrections.ts'
import { sharedCorrected } from '#tests/support/corrected.ts'

// `tests/texts/stories/` has the other corrections.
const on = sharedCorrected()

it('people are merged once if two administrators merge them in opposite directions', async () => {
  const merge = (from: number, into: number) =>
    on.admin.call('POST', `/api/v1/admin/experts/${String(from)}/merge`, { version: 0, into })
  const answers = await Promise.all([merge(1, 2), merge(2, 1)])
  expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 409])
  const { rows } = await on.admin.read(listExpertsAdmin)
  expect(rows.map(({ predictions }) => predictions)).toEqual([2])
})
