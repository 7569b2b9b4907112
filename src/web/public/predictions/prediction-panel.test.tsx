import { predictionsOfRows, verdictRow } from '#contracts/prediction-wire.ts'
import { ASSETS } from '#domain/asset.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState, type ComponentProps } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { predictionRow, verdict } from '#tests/support/web-fixtures.ts'
import { SITE } from '#tests/support/web-fixtures.ts'
import { SiteContext } from '#web/head/site.ts'
import { PredictionPanel } from './prediction-panel.tsx'
import {
  activeOnes,
  clearSelection,
  OPENING_SELECTION,
  togglePrediction,
} from '#domain/listing/selection.ts'

const ALL = predictionsOfRows([
  predictionRow(),
  predictionRow({
    id: 'top',
    influencer: { id: 2, name: '', slug: 'no-one', score: 0, is_firm: false, x_handle: null },
    prediction_type: 'top',
    price_target: null,
    price_max: 150_000,
    prediction_made: '2025-03-01',
    made_precision: 'month',
    source_url: 'javascript:alert(1)',
    verdicts: {
      touch: verdictRow(verdict({ outcome: 'void', reason: 'already-broken' })),
      close: verdictRow(verdict({ mode: 'close', outcome: 'void', reason: 'already-broken' })),
    },
  }),
])

type Given = Partial<ComponentProps<typeof PredictionPanel>>

function Panel(given: Given) {
  const [selection, setSelection] = useState(OPENING_SELECTION)
  const drawable = { predictions: ALL, mode: 'touch', opening: [0, 30_000] } as const
  const active = new Set(activeOnes(selection, drawable).map(({ id }) => id))
  return (
    <SiteContext value={SITE}>
      <PredictionPanel
        asset={ASSETS.btc}
        predictions={{ state: 'ready', data: ALL }}
        selection={selection}
        activeIds={active}
        mode="touch"
        onSelect={setSelection}
        onToggle={({ id }) => setSelection((before) => togglePrediction(before, id, drawable))}
        onReset={() => setSelection(clearSelection())}
        submitCard={null}
        {...given}
      />
    </SiteContext>
  )
}

afterEach(cleanup)

describe('the prediction panel', () => {
  it('the prediction panel says who, what, when, from where, and what came of it', () => {
    render(<Panel />)
    const [, hit] = screen.getAllByRole('listitem')
    const text = hit?.textContent?.replaceAll('\u00a0', ' ') ?? ''
    expect(text).toContain('Ada Quant@ada')
    expect(text).toContain('SUCCESS')
    expect(text).toContain('$69,000')
    expect(text).toContain('Target: 2024 · Made 31/01/2024 · example.org')
  })

  it('the prediction panel says what luck said, and of an open one what is left', () => {
    const one = { luck: 0.12, no_luck: null, sigma: 0.5, drift: 0.1 }
    const left = { date: '2026-11-19', usd: 50_000, change: 0.38, days: 42, chance: 0.09 }
    const pending = verdictRow(verdict({ outcome: 'pending', reason: 'open', day: null }))
    const data = predictionsOfRows([
      predictionRow({ odds: { touch: { ...one, left: null }, close: { ...one, left: null } } }),
      predictionRow({
        id: 'open',
        verdicts: { touch: pending, close: { ...pending, mode: 'close' } },
        odds: { touch: { ...one, left }, close: { ...one, left } },
      }),
    ])
    render(<Panel predictions={{ state: 'ready', data }} />)
    const texts = screen.getAllByRole('listitem').map((item) => item.textContent ?? '')
    expect(texts).toHaveLength(2)
    for (const text of texts) expect(text).toContain('Luck said 12 %: a 1-in-8 call')
    const open = texts.filter((text) => text.includes('+38 % in 42 days; luck says 9 %'))
    expect(open).toHaveLength(1)
    expect(open[0]).toContain('PENDING')
  })

  it('the prediction panel shows a void one in grey with its reason, and a nameless one as Unknown', () => {
    render(<Panel />)
    const [first] = screen.getAllByRole('listitem')
    expect(first?.textContent).toContain('Unknown')
    expect(first?.textContent).toContain('VOID')
    expect(first?.textContent).toContain('Void: already broken.')
  })

  it('the prediction panel puts a card on the chart and takes it off', () => {
    render(<Panel />)
    const card = () => screen.getByRole('button', { name: /Ada Quant/ })
    expect(card().getAttribute('aria-pressed')).toBe('true')
    fireEvent.click(card())
    expect(card().getAttribute('aria-pressed')).toBe('false')
  })

  it('the prediction panel counts what each chip holds, voids in none', () => {
    render(<Panel />)
    const chips = within(screen.getByRole('group', { name: 'Filter by status' }))
    expect(chips.getAllByRole('button').map((chip) => chip.textContent)).toEqual([
      'All 1',
      'Pending 0',
      'Successful 1',
      'Miss 0',
    ])
  })

  it('the prediction panel distinguishes an empty list from a filter that leaves nothing', () => {
    render(<Panel />)
    fireEvent.click(screen.getByRole('button', { name: /^Miss/ }))
    expect(screen.getByText('No prediction matches')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect(screen.getAllByRole('listitem')).toHaveLength(2)
    cleanup()
    render(<Panel predictions={{ state: 'ready', data: [] }} />)
    expect(screen.getByText('No BTC predictions yet')).toBeDefined()
  })

  it('the prediction panel shows what is loading, and offers another try when it failed', () => {
    render(<Panel predictions={{ state: 'pending' }} />)
    expect(screen.getByText('Loading BTC predictions...')).toBeDefined()
    cleanup()
    let tries = 0
    const failed = { state: 'failed', message: 'No answer.', retry: () => (tries += 1) } as const
    render(<Panel predictions={failed} />)
    expect(screen.getByRole('alert').textContent).toContain('No answer.')
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(tries).toBe(1)
  })
})
