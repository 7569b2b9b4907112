import { act, fireEvent, render, screen } from '@testing-library/react'
import { useMemo, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTargets } from '#chart/open-targets.ts'
import { THEMES } from '#chart/theme.ts'
import { OPENING_VIEW, viewParams, type ViewState } from '#chart/view-state.ts'
import { ASSETS } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { addDays, day } from '#domain/day.ts'
import { target, top } from '#tests/support/builders.ts'
import { predicted, TODAY, closesBy, pointsOf } from '#tests/support/charts.ts'
import { fakeFrame, fakePen, type Call } from '#tests/support/fake-pen.ts'
import { PriceChart } from './price-chart.tsx'

const BARS = closesBy('2025-11-20', 366, (i) => 80_000 + (i % 7) * 1_500)
const POINTS = pointsOf(BARS)

function open(usd: number, by: string, overrides: Partial<Prediction> = {}): Prediction {
  const dates = { made: addDays(TODAY, -10), by: day(by) }
  return predicted(target(usd), BARS, { id: `${String(usd)}-${by}`, ...dates, ...overrides })
}

/** A view that contains all calls. */
const PLACE = {
  scale: 'linear',
  targets: 'count',
  range: [day('2026-06-01'), day('2028-01-01')],
  prices: [50_000, 300_000],
} as const
const BOB = { id: 2, name: 'Expert B', slug: 'expert-b', handle: null }
const CALLS = [
  open(150_000, '2027-06-15'),
  open(155_000, '2027-06-20', { expert: BOB, voteScore: 21 }),
  open(250_000, '2027-09-30', { expert: BOB }),
]
const LATER = { made: addDays(TODAY, -10), by: day('2027-06-20') }
const TOP = predicted(top(400_000), BARS, { id: 'top', ...LATER })

let calls: Call[] = []
let views: ViewState[] = []

beforeEach(() => {
  vi.useFakeTimers()
  views = []
  const base = fakePen()
  calls = base.calls
  fakeFrame({ width: 1_000, height: 500 })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => base.pen)
  vi.stubGlobal('Path2D', function path(d: string) {
    return { d }
  })
})

afterEach(() => {
  vi.restoreAllMocks()
})

type Options = {
  readonly all?: readonly Prediction[] | null
  readonly first?: Partial<ViewState>
  readonly live?: number
}

/** The chart with controlled view state, as on a dashboard. */
function Chart({ all = CALLS, first = {}, live = 84_000 }: Options) {
  const [view, setView] = useState<ViewState>({ ...OPENING_VIEW, ...first })
  const open = useMemo(() => all && openTargets(all, view.mode, TODAY), [all, view.mode])
  return (
    <PriceChart
      asset={ASSETS.btc}
      points={POINTS}
      ranges={null}
      onDays={() => {}}
      predictions={[]}
      all={open}
      view={view}
      onView={(next) => {
        views.push(next)
        setView(next)
      }}
      theme="light"
      today={TODAY}
      live={{ usd: live, direction: null }}
      describe={() => ''}
      onOpen={() => {}}
      onToggle={() => {}}
      shareUrl={() => ''}
    />
  )
}

/** Lets code load and frames pass until the chart settles. */
async function rest(): Promise<void> {
  await act(() => import('./open-targets.tsx'))
  await act(async () => {
    await vi.advanceTimersByTimeAsync(400)
  })
}

async function show(options: Options = {}) {
  const rendered = render(<Chart {...options} />)
  await rest()
  return rendered
}

const press = async (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }))
  await rest()
}
const layer = () => screen.getByRole('group', { name: 'Open targets' })
const painted = () => calls.filter(({ args }) => isPath(args[0]))
const cells = () => painted().filter(({ name }) => name === 'fill')

function isPath(shape: unknown): boolean {
  return typeof shape === 'object' && shape !== null && 'd' in shape
}

it('a button shows the targets of open calls, in a view stored in the address', async () => {
  await show({ all: [...CALLS, TOP] })
  await press('Open targets')
  const text = layer().textContent
  expect(text).toContain('1 to 2 open calls')
  expect(text).toContain('3 open calls. 1 top or bottom is left out: it is a limit, not a target.')
  expect(text).toContain('Luck from the close of 20/11/2026 on')
  expect(cells().length).toBeGreaterThan(0)
  const { range, prices, targets } = views.at(-1) ?? OPENING_VIEW
  expect(targets).toBe('count')
  expect(range?.[1]).toBeGreaterThan(day('2027-09-30'))
  expect(prices?.[1]).toBeGreaterThan(250_000)
  expect(viewParams(views.at(-1) ?? OPENING_VIEW)).toMatchObject({ targets: 'count' })
  expect(views).toHaveLength(2)
})

it('a button extends the view to targets outside it', async () => {
  await show({ all: [...CALLS, open(9_000_000, '2045-12-31')], first: PLACE })
  expect(layer().textContent).toContain('4 open calls, 1 beyond this view')
  await press('Show all')
  expect(layer().textContent).not.toContain('beyond')
})

it('hovering reads out a cell with names', async () => {
  await show({ first: PLACE })
  const [[from, to], [low, high]] = [PLACE.range, PLACE.prices]
  const plot = screen.getByRole('group', { name: /^Chart\./ })
  const at = (when: string, usd: number) => ({
    clientX: 56 + ((day(when) - from) / (to - from)) * (1_000 - 56 - 66),
    clientY: 16 + (1 - (usd - low) / (high - low)) * (500 - 16 - 28),
  })
  fireEvent.pointerMove(plot, at('2027-06-17', 153_000))
  const readout = plot.querySelector('.price-chart-readout')
  expect(readout?.textContent).toMatch(
    /^2 open calls: \$1\d0k to \$1\d0k, due Jun 2027 {2}\u2068?Expert A\u2069?, \u2068?Expert B\u2069?$/,
  )
  fireEvent.pointerMove(plot, at('2026-05-01', 83_000))
  expect(readout?.textContent).toMatch(/^BTC 01\/05\/2026/)
})

it('shapes are cached while the view rests, and painted below the price line', async () => {
  const { rerender } = await show({ first: PLACE })
  const before = cells().at(-1)?.args[0]
  calls.length = 0
  rerender(<Chart first={PLACE} live={84_100} />)
  await rest()
  expect(cells().at(-1)?.args[0]).toBe(before)
  const cellAt = calls.findLastIndex((call) => cells().includes(call))
  const lineAt = calls.findLastIndex(
    ({ name, pen }) => name === 'stroke' && pen.strokeStyle === THEMES.light.brand,
  )
  expect(cellAt).toBeGreaterThan(-1)
  expect(lineAt).toBeGreaterThan(cellAt)
})
