// Over 400 lines: mouse, touch and keys on one drawn chart.

import {
  act,
  cleanup,
  createEvent,
  fireEvent,
  render,
  screen,
  within,
} from '@testing-library/react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTargets } from '#chart/open-targets.ts'
import { rangeLayer } from '#chart/ranges.ts'
import { OPENING_VIEW, type ViewState } from '#chart/view-state.ts'
import { ASSETS } from '#domain/asset.ts'
import { day } from '#domain/day.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { target, range } from '#tests/support/builders.ts'
import { closesBy, pointsOf, predicted } from '#tests/support/charts.ts'
import { fakeFrame } from '#tests/support/fake-pen.ts'
import { click, sees } from '#tests/support/on-screen.ts'
import { stubWideWindow } from '#tests/support/web-fixtures.ts'
import { PriceChart, type PriceChartProps } from './price-chart.tsx'

const TODAY = day('2024-06-01')
const BARS = closesBy('2023-06-01', 366, (i) => 30_000 + i * 100)
const POINTS = pointsOf(BARS)
const PREDICTIONS = [
  predicted(target(55_000), BARS, { id: 'hit', by: day('2024-03-01') }),
  predicted(target(150_000), BARS, { id: 'miss', by: day('2024-04-01') }),
]
const SAID = new Map(PREDICTIONS.map((one) => [one.id, verdictSentence(one, 'touch')]))
const size = { width: 1_000, height: 500 }

function props(overrides: Partial<PriceChartProps> = {}): PriceChartProps {
  return {
    asset: ASSETS.btc,
    points: POINTS,
    predictions: PREDICTIONS,
    all: openTargets(PREDICTIONS, 'touch', TODAY),
    view: OPENING_VIEW,
    onView: vi.fn<(view: ViewState) => void>(),
    theme: 'light',
    today: TODAY,
    ranges: null,
    onDays: vi.fn<PriceChartProps['onDays']>(),
    live: { usd: 67_000, direction: 'up' },
    describe: ({ id }) => SAID.get(id) ?? '',
    onOpen: vi.fn<(id: string) => void>(),
    onToggle: vi.fn<(id: string) => void>(),
    shareUrl: () => '',
    ...overrides,
  }
}

beforeAll(() => import('./after-first-paint.ts'))

beforeEach(() => {
  vi.useFakeTimers()
  Object.assign(size, { width: 1_000, height: 500 })
  fakeFrame(size)
  Element.prototype.setPointerCapture = () => {}
})

afterEach(() => {
  Reflect.deleteProperty(Element.prototype, 'setPointerCapture')
  vi.restoreAllMocks()
})

async function rest(): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(400)
  })
}

/** The chart once it has settled; `change` renders it with other properties. */
async function open(overrides: Partial<PriceChartProps> = {}) {
  const initial = props(overrides)
  const { rerender } = render(<PriceChart {...initial} />)
  await rest()
  const change = async (next: Partial<PriceChartProps>): Promise<void> => {
    rerender(<PriceChart {...initial} {...next} />)
    await rest()
  }
  return { ...initial, onView: vi.mocked(initial.onView), change }
}

const root = () => screen.getByTestId('price-chart')
const plot = () => screen.getByRole('group', { name: /^Chart\./ })
const marks = () => [...document.querySelectorAll<HTMLElement>('[data-prediction-id]')]
const viewed = () => root().dataset['view']
const viewOf = (from: string, to: string) => ({
  ...OPENING_VIEW,
  range: [day(from), day(to)] as const,
})
const HUNDRED_DAYS = { ...OPENING_VIEW, range: [19_600, 19_700] } as const
const mouseAt = (clientX: number, clientY = 200) => {
  return { pointerId: 1, pointerType: 'mouse', button: 0, clientX, clientY }
}
function clickAt(at: object, up: object = at): void {
  fireEvent.pointerDown(plot(), at)
  fireEvent.pointerUp(plot(), up)
}
const overMark = (i: number) => {
  const [x = 0, y = 0, w = 0, h = 0] = (marks()[i]?.dataset['box'] ?? '').split(',').map(Number)
  return mouseAt(x + w / 2, y + h / 2)
}

describe('the chart', () => {
  it('renders on a server', () => {
    vi.stubGlobal('document', undefined)
    vi.stubGlobal('window', undefined)
    const html = renderToString(<PriceChart {...props()} />)
    expect(html).toContain('data-ready="false"')
    expect(html).not.toContain('style=')
    expect(html).toContain('2 predictions to draw')
  })

  it('reports its view and mark positions once settled', async () => {
    render(
      <StrictMode>
        <PriceChart {...props()} />
      </StrictMode>,
    )
    await rest()
    expect(root().dataset).toMatchObject({ ready: 'true', scale: 'linear', y: '12000,200000' })
    expect(viewed()).toMatch(/^\d+\.\d\d,\d+\.\d\d$/)
    const outcomes = marks().map((mark) =>
      [mark.dataset['predictionId'], mark.dataset['kind'], mark.dataset['status']].join(' '),
    )
    expect(outcomes).toEqual(['hit success hit', 'hit target hit', 'miss target miss'])
    for (const mark of marks()) expect(mark.dataset['box']).toMatch(/^[\d.]+,[\d.]+,[\d.]+,[\d.]+$/)
  })

  it('reports one view per gesture, not per frame, and none before', async () => {
    const { onView } = await open()
    expect(onView).not.toHaveBeenCalled()
    for (let i = 0; i < 10; i++) fireEvent.wheel(plot(), { deltaY: -100, clientX: 500 })
    await rest()
    expect(onView).toHaveBeenCalledTimes(1)
    expect(onView.mock.calls[0]?.[0].range).toHaveLength(2)
  })

  it('ignores the echo of its own report, and follows a changed address', async () => {
    let view: ViewState = OPENING_VIEW
    const { change } = await open({ onView: (next) => (view = next) })
    fireEvent.keyDown(plot(), { key: 'ArrowLeft' })
    await rest()
    const moved = viewed()
    await change({ view })
    expect(viewed()).toBe(moved)
    await change({ view: { ...view, range: [19_000, 19_500] } })
    expect(viewed()).toBe('19000.00,19500.00')
  })

  it('glides to its end, even if resized before its last frame', async () => {
    let resize = (): void => {}
    vi.stubGlobal('ResizeObserver', function observer(seen: () => void) {
      resize = seen
      return { observe: () => queueMicrotask(seen), disconnect: () => {} }
    })
    vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) =>
      setTimeout(() => frame(performance.now()), 100),
    )
    stubWideWindow()
    const initial = props()
    const { rerender } = render(<PriceChart {...initial} />)
    await rest()
    rerender(<PriceChart {...initial} view={{ ...OPENING_VIEW, range: [19_000, 19_500] }} />)
    await act(() => vi.advanceTimersByTimeAsync(150))
    resize()
    await rest()
    expect(viewed()).toBe('19000.00,19500.00')
  })

  it('updates its opening view for new prices and a new day', async () => {
    const tomorrow = { predictions: [], today: day('2024-06-02') }
    const { change } = await open({ predictions: [] })
    for (const usd of [67_100, 67_200, 67_300]) await change({ live: { usd, direction: 'up' } })
    const before = viewed()
    await change(tomorrow)
    const after = viewed()
    expect(after).not.toBe(before)
    cleanup()
    await open(tomorrow)
    expect(viewed()).toBe(after)
  })

  it('does not move when prices arrive during a drag', async () => {
    const { change } = await open()
    fireEvent.pointerDown(plot(), mouseAt(500))
    fireEvent.pointerMove(plot(), mouseAt(400))
    await rest()
    const before = viewed()
    await change({ live: { usd: 70_000, direction: 'down' }, theme: 'dark' })
    expect(viewed()).toBe(before)
    fireEvent.pointerMove(plot(), mouseAt(300))
    await rest()
    expect(viewed()).not.toBe(before)
  })

  it('reverts a touch movement once the browser takes it for scrolling', async () => {
    const { onView } = await open()
    const before = viewed()
    const finger = { pointerId: 7, pointerType: 'touch', button: 0 }
    fireEvent.pointerDown(plot(), { ...finger, clientX: 200, clientY: 300 })
    fireEvent.pointerMove(plot(), { ...finger, clientX: 204, clientY: 280 })
    fireEvent.pointerCancel(plot(), { ...finger, clientX: 206, clientY: 260 })
    await rest()
    expect(viewed()).toBe(before)
    expect(onView).not.toHaveBeenCalled()
  })

  it('follows wheel lines, pinches and keys, and ignores other buttons', async () => {
    const span = () => (viewed() ?? '').split(',').map(Number) as [number, number]
    const start = HUNDRED_DAYS.range
    const moved = async (act: () => void) => {
      cleanup()
      await open({ view: HUNDRED_DAYS })
      act()
      await rest()
      return span()
    }
    const at = (pointerId: number, clientX: number, pointerType = 'touch', button = 0) => {
      return { pointerId, clientX, clientY: 200, pointerType, button }
    }
    const lines = await moved(() => fireEvent.wheel(plot(), { deltaY: -1, deltaMode: 1 }))
    expect(lines).toEqual(await moved(() => fireEvent.wheel(plot(), { deltaY: -33 })))
    const [from, to] = await moved(() => {
      fireEvent.pointerDown(plot(), at(1, 400))
      fireEvent.pointerDown(plot(), at(2, 500))
      fireEvent.pointerMove(plot(), at(2, 600))
    })
    expect(to - from).toBeCloseTo(50)
    // The day between the fingers stays between them.
    fireEvent.pointerMove(plot(), at(2, 500))
    await rest()
    expect(span()).toEqual(start)
    // A finger on the price axis moves the days, too.
    const beside = await moved(() => {
      fireEvent.pointerDown(plot(), at(1, 10))
      fireEvent.pointerMove(plot(), at(1, 30))
    })
    expect(beside[0]).toBeLessThan(start[0])
    const other = await moved(() => {
      fireEvent.pointerDown(plot(), at(1, 500, 'mouse', 2))
      fireEvent.pointerMove(plot(), at(1, 400, 'mouse', 2))
    })
    expect(other).toEqual(start)
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) {
      const key = { key: 'ArrowLeft', [modifier]: true }
      expect(await moved(() => fireEvent.keyDown(plot(), key))).toEqual(start)
    }
    const high = async (key: string) => {
      await moved(() => fireEvent.keyDown(plot(), { key }))
      return Number(root().dataset['y']?.split(',')[1])
    }
    expect(await high('ArrowDown')).toBeLessThan(await high('ArrowUp'))
  })

  it.each([
    ['goes on after a quick drag', 10, true],
    ['rests after one that was held still', 90, false],
  ])('%s', async (_, restMs, goesOn) => {
    stubWideWindow()
    await open({ view: HUNDRED_DAYS })
    const send = (type: 'Down' | 'Move' | 'Up', step: number, timeStamp: number) => {
      const event = createEvent[`pointer${type}`](plot(), mouseAt(500 + step, 200 + step))
      Object.defineProperty(event, 'timeStamp', { value: timeStamp })
      fireEvent(plot(), event)
    }
    send('Down', 0, 0)
    send('Move', 40, 20)
    send('Up', 40, 20 + restMs)
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    // The drag itself moves five days.
    expect(19_600 - Number(viewed()?.split(',')[0]) > 6).toBe(goesOn)
  })

  it('applies the zoom limits to an absurd range in the address', async () => {
    const { onView } = await open({ view: viewOf('1800-01-01', '1800-02-01') })
    const [from = 0] = (viewed() ?? '').split(',').map(Number)
    expect(from).toBeGreaterThan(day('2000-01-01'))
    // The corrected range is written to the address.
    expect(onView.mock.calls.at(-1)?.[0].range?.[0]).toBe(Math.round(from))
  })

  it('chooses a log axis when the price would look flat, unless the visitor chose an axis', async () => {
    const predictions = [predicted(target(5e6), BARS, { by: day('2024-09-01') })]
    const { onView, change } = await open({ predictions })
    expect(root().dataset['scale']).toBe('log')
    fireEvent.click(screen.getByRole('button', { name: 'Log', pressed: true }))
    expect(onView.mock.calls).toEqual([[{ ...OPENING_VIEW, scale: 'linear' }]])
    await change({ view: { ...OPENING_VIEW, scale: 'linear' } })
    expect(root().dataset['scale']).toBe('linear')
  })

  it('opens a mark on click and removes it on shift-click', async () => {
    const { onOpen, onToggle } = await open()
    const at = overMark(2)
    clickAt(at)
    expect(onOpen).toHaveBeenCalledWith('miss')
    clickAt(at, { ...at, shiftKey: true })
    expect(onToggle).toHaveBeenCalledWith('miss')
  })

  it('lists the marks at one spot to choose from', async () => {
    const [, one = predicted(target(1), BARS)] = PREDICTIONS
    const onOpen = vi.fn<(id: string) => void>()
    Element.prototype.scrollIntoView = vi.fn<() => void>()
    await open({ onOpen, predictions: [one, { ...one, id: 'other' }] })
    const mouse = overMark(0)
    fireEvent.pointerMove(plot(), mouse)
    await rest()
    sees('1 more call at this spot.')
    clickAt(mouse)
    expect(onOpen).not.toHaveBeenCalled()
    // The mouse leaves the mark on its way to the list.
    fireEvent.pointerMove(plot(), { ...mouse, clientX: mouse.clientX + 90 })
    fireEvent.pointerLeave(plot(), mouse)
    const list = within(screen.getByRole('list', { name: 'Calls at this spot' }))
    for (const id of ['other', 'miss']) {
      const pressed = list.getAllByRole('button').map((call) => call.getAttribute('aria-pressed'))
      fireEvent.click(list.getAllByRole('button')[pressed.indexOf('false')] ?? root())
      fireEvent.click(screen.getByRole('button', { name: 'Open' }))
      expect(onOpen.mock.calls.flat()).toContain(id)
    }
    const elsewhere = { ...mouse, clientX: 300, clientY: 5 }
    const escape = () => fireEvent.keyDown(root(), { key: 'Escape' })
    for (const close of [() => clickAt(elsewhere), escape]) {
      clickAt(mouse)
      expect(screen.getByRole('list', { name: 'Calls at this spot' })).toBeDefined()
      close()
      expect(screen.queryByTestId('chart-tooltip')).toBeNull()
    }
    onOpen.mockClear()
    const [item] = marks()
    act(() => item?.focus())
    fireEvent.click(item ?? root())
    expect(onOpen).not.toHaveBeenCalled()
    expect(document.activeElement?.textContent).toContain('Expert A')
    expect(document.activeElement?.closest('ul')?.ariaLabel).toBe('Calls at this spot')
    escape()
    expect(document.activeElement).toBe(item)
  })

  it('supports keyboard navigation, announces marks, and opens or removes them', async () => {
    const { onToggle } = await open()
    const [first, second] = marks()
    act(() => first?.focus())
    await rest()
    expect(screen.getByTestId('chart-tooltip').textContent).toContain('Expert A')
    expect(marks().filter((mark) => mark.tabIndex === 0)).toEqual([first])
    fireEvent.keyDown(first ?? root(), { key: 'ArrowRight' })
    await rest()
    expect(document.activeElement).toBe(second)
    expect(document.querySelector('.aside-voice [role=status]')?.textContent).toContain('$55,000')
    fireEvent.keyDown(second ?? root(), { key: 'Delete' })
    expect(onToggle).toHaveBeenCalledWith('hit')
    const reached = (key: string) => {
      fireEvent.keyDown(document.activeElement ?? root(), { key })
      return document.activeElement
    }
    const keys = ['ArrowLeft', 'ArrowUp', 'End', 'ArrowDown', 'Home']
    const last = marks().at(-1)
    expect(keys.map(reached)).toEqual([first, first, last, last, first])
    act(() => first?.blur())
    expect(document.querySelector('.aside-voice [role=status]')?.textContent).toBe('')
  })

  it('has a button for every switch', async () => {
    const { onView } = await open()
    for (const name of ['Log', 'Daily close', '5Y']) click(name)
    expect(onView.mock.calls).toEqual([
      [{ ...OPENING_VIEW, scale: 'log' }],
      [{ ...OPENING_VIEW, mode: 'close' }],
      [{ ...OPENING_VIEW, frame: '5Y' }],
    ])
  })

  it('renders nothing without a size', async () => {
    size.width = 0
    await open()
    expect(root().dataset['ready']).toBe('false')
  })

  describe('in a view below a year', () => {
    const ranged = BARS.map((bar) => ({ ...bar, high: bar.close + 4_000, low: bar.close - 4_000 }))
    const layerOf = (of = ranged) => rangeLayer(of, [BARS[0]?.day ?? 0, TODAY])
    const week = viewOf('2024-05-01', '2024-05-08')
    const legend = () => document.querySelector('.price-chart-legend p')?.textContent ?? ''
    const readout = () => document.querySelector('.price-chart-readout')?.textContent ?? ''
    const high = () => Number((root().dataset['y'] ?? '').split(',')[1])

    it('makes room for highs and lows once loaded, and labels them', async () => {
      const { change } = await open({ view: week })
      const before = high()
      expect(legend()).not.toContain('low')
      await change({ ranges: layerOf() })
      expect(high()).toBeGreaterThan(before + 3_000)
      expect(legend()).toContain('bars from low to high of each day')
    })

    it.each([
      [ranged.filter(({ day: of }) => of % 2 === 0), 'bars from low to high on 4 of 8 days'],
      [[], 'only closes are known for these days'],
    ])('says for which days in view only the close is known', async (of, text) => {
      await open({ view: week, ranges: layerOf(of) })
      expect(legend()).toContain(text)
    })

    it('reads out high and low of the day under the pointer, if known', async () => {
      const known = ranged.filter(({ day: of }) => of !== day('2024-05-01'))
      await open({ view: week, ranges: layerOf(known) })
      fireEvent.pointerMove(plot(), mouseAt(56 + 878 / 7))
      expect(readout()).toMatch(
        /02\/05\/2024 {2}\$63,600 {2}high \$67,600, low \$59,600 {2}\+5% since/,
      )
      fireEvent.pointerMove(plot(), mouseAt(57))
      expect(readout()).toMatch(/01\/05\/2024 {2}\$63,500 {2}\+6% since/)
    })

    it('updates the readout of a resting pointer when highs and lows arrive', async () => {
      const { change } = await open({ view: week })
      fireEvent.pointerMove(plot(), mouseAt(56 + 878 / 7))
      expect(readout()).toMatch(/02\/05\/2024 {2}\$63,600 {2}\+5% since/)
      await change({ ranges: layerOf() })
      expect(readout()).toMatch(/02\/05\/2024 {2}\$63,600 {2}high \$67,600, low \$59,600/)
      fireEvent.pointerLeave(plot())
      expect(readout()).toMatch(/08\/05\/2024/)
    })

    it('draws only the price line in a longer view', async () => {
      await open({ view: viewOf('2023-06-01', '2024-06-02'), ranges: layerOf() })
      expect(legend()).not.toContain('low')
      fireEvent.pointerMove(plot(), mouseAt(500))
      expect(readout()).not.toContain('high')
    })

    it('reports the days in view each time it settles', async () => {
      const { onDays } = await open({ view: week })
      expect(onDays).toHaveBeenLastCalledWith(week.range)
    })
  })

  it('counts skipped data in the console, once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const broken = [predicted(range(9, 5), BARS, { id: 'upside-down' })]
    const { rerender } = render(<PriceChart {...props({ predictions: broken })} />)
    rerender(<PriceChart {...props({ predictions: [...broken] })} />)
    await rest()
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn.mock.calls[0]?.[0]).toContain('upside-down')
  })
})
