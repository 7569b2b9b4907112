import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import { day } from '#domain/day.ts'
import { type Verdict } from '#domain/judging/verdict.ts'
import { predictionRow, verdict } from '#tests/support/web-fixtures.ts'
import { Evidence } from './evidence.tsx'

const MISS: Partial<Verdict> = { outcome: 'miss', reason: 'not-reached', bar: null }
const ON_CLOSES: Partial<Verdict> = { ...MISS, closeOnly: true }
const nearest = { day: day('2024-03-05'), usd: 63_801 }
const BY_CLOSE: Partial<Verdict> = { ...MISS, mode: 'close', nearest }
const HELD = { direction: 'never-above', outcome: 'hit', reason: 'held' } as const

function rendered(touch: Partial<Verdict>, close: Partial<Verdict>): (string | null)[] {
  const prediction = predictionOfRow(predictionRow())
  if (!prediction) throw new Error('the fixture is not a prediction')
  const verdicts = { touch: verdict(touch), close: verdict({ ...close, mode: 'close' }) }
  render(<Evidence prediction={{ ...prediction, verdicts }} />)
  return screen.getAllByRole('term').map(({ textContent }) => textContent)
}

const headings = () => screen.getAllByRole('heading').map(({ textContent }) => textContent)

describe('the evidence of a prediction', () => {
  it('is shown once if both modes agree', () => {
    const names = rendered({ ...ON_CLOSES, nearest }, BY_CLOSE)
    expect(names.filter((name) => name === 'Level compared')).toHaveLength(1)
    expect(names).toContain('Highest close')
    expect(headings()).toEqual(['Intraday and by daily close'])
  })

  it('is shown side by side if they differ', () => {
    const names = rendered(MISS, BY_CLOSE)
    expect(headings()).toEqual(['Intraday', 'Daily close'])
    const found = names.filter((name) => /^(High|Low)est/.test(name ?? ''))
    expect(found).toEqual(['Highest price', 'Highest close'])
  })

  it.each<[string, Partial<Verdict>]>([
    ['Lowest price', { direction: 'down' }],
    ['Lowest close', { direction: 'down', closeOnly: true }],
    ['Highest known price', { someClosesOnly: true }],
    ['Lowest price', { ...HELD, direction: 'never-below' }],
    ['Highest close', { ...HELD, closeOnly: true }],
    ['Highest price', { closeOnly: true, nearest: { ...nearest, moving: true } }],
  ])('names the nearest price: %s %j', (name, input) => {
    expect(rendered({ ...MISS, ...input }, MISS)).toContain(name)
  })
})
