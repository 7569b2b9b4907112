import { lengthOf, type Span } from '#chart/scale.ts'
import { wheelFactor, type Move } from '#chart/viewport.ts'
import { halt, moveView, remember, startFling, type ChartView } from './chart-view.ts'

/** Gesture callbacks; positions are CSS pixels within the chart. */
export type Listener = {
  readonly hover: (x: number, y: number) => void
  readonly leave: () => void
  readonly click: (at: { x: number; y: number; touch: boolean; shift: boolean }) => void
  readonly grab: () => void
}

type Finger = { x: number; y: number }

/** Shorter movements count as clicks; touch is less precise than a mouse. */
const CLICK_PX = { mouse: 4, touch: 10 } as const
/** Time window for the speed of a fling. */
const SPEED_MS = 100
/** Distances below this are too small to measure a pinch. */
const LEAST_PINCH_PX = 12
/** CSS pixels per unit of `deltaMode`: pixels, lines, pages. */
const WHEEL_PX = [1, 33, 800] as const
/** Used before the first scene. */
const NO_PLOT = { x: 0, width: 0, height: 0 }
/** Fraction of the view moved by an arrow key. */
const KEY_STEP = 0.1

/**
 * Translates pointer, wheel and key events into movements of the view. Vertical one-finger drags scroll the page
 * (`touch-action: pan-y` in the style sheet); the browser then sends `pointercancel`, which must not fling.
 *
 * @returns a function that removes all listeners
 */
export function listen(box: HTMLElement, view: ChartView, listener: Listener): () => void {
  const fingers = new Map<number, Finger>()
  let travelled = 0
  let dragsPrices = false
  let trail: { x: number; at: number }[] = []
  let takeBack = () => {}

  const placeOf = (event: MouseEvent): Finger => {
    const rect = box.getBoundingClientRect()
    return { x: event.clientX - rect.left, y: event.clientY - rect.top }
  }
  const plotOf = () => view.scene?.plot ?? NO_PLOT
  const partAt = (x: number) => (x - plotOf().x) / Math.max(1, plotOf().width)
  const daysPerPx = () => lengthOf(view.viewport.days) / Math.max(1, plotOf().width)
  // Several movements may occur between two frames, so use the viewport, not the last scene.
  const dayAt = (x: number) => {
    const { days } = view.viewport
    return days[0] + partAt(x) * lengthOf(days)
  }

  const listening = new AbortController()
  const { signal } = listening
  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    act: (event: HTMLElementEventMap[Name]) => void,
  ) => box.addEventListener(name, act, { signal, passive: false })

  on('pointerdown', (event) => {
    if (event.pointerType === 'mouse' && event.button !== 0) return
    // Buttons over the plot, such as a suggestion, handle their own presses.
    if (event.target instanceof Element && event.target.closest('button')) return
    halt(view)
    const at = placeOf(event)
    if (fingers.size === 0) {
      travelled = 0
      takeBack = remember(view)
      trail = [{ x: at.x, at: event.timeStamp }]
      dragsPrices = event.pointerType !== 'touch' && at.x < plotOf().x
    }
    fingers.set(event.pointerId, at)
    box.setPointerCapture(event.pointerId)
  })

  on('pointermove', (event) => {
    const at = placeOf(event)
    const before = fingers.get(event.pointerId)
    if (!before) {
      if (event.pointerType !== 'touch') listener.hover(at.x, at.y)
      return
    }
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1]
    fingers.set(event.pointerId, at)
    travelled += distance(at, before)
    if (travelled > CLICK_PX.mouse) listener.grab()
    if (other) pinch(before, at, other)
    else if (dragsPrices) {
      moveView(view, { type: 'zoom prices', factor: Math.exp((at.y - before.y) / 200) })
    } else drag(before, at, event)
  })

  function drag(before: Finger, at: Finger, event: PointerEvent): void {
    moveView(view, { type: 'pan', days: (before.x - at.x) * daysPerPx() })
    // After the price axis was moved, mouse drags move the chart in both directions; vertical touch drags still scroll
    // the page.
    const { height } = plotOf()
    if (view.viewport.prices && event.pointerType !== 'touch' && height > 0) {
      moveView(view, { type: 'pan prices', part: (at.y - before.y) / height })
    }
    trail = [
      ...trail.filter((point) => event.timeStamp - point.at < SPEED_MS),
      { x: at.x, at: event.timeStamp },
    ]
  }

  function pinch(before: Finger, at: Finger, other: Finger): void {
    const was = Math.max(LEAST_PINCH_PX, distance(before, other))
    const is = Math.max(LEAST_PINCH_PX, distance(at, other))
    travelled = CLICK_PX.touch + 1
    trail = []
    moveView(view, {
      type: 'pinch',
      factor: was / is,
      at: dayAt((before.x + other.x) / 2),
      part: partAt((at.x + other.x) / 2),
    })
  }

  on('pointerup', (event) => {
    if (!fingers.delete(event.pointerId) || fingers.size > 0) return
    const at = placeOf(event)
    const touch = event.pointerType === 'touch'
    if (travelled <= (touch ? CLICK_PX.touch : CLICK_PX.mouse)) {
      listener.click({ ...at, touch, shift: event.shiftKey })
    } else if (!dragsPrices) startFling(view, speedOf(trail, event.timeStamp))
    dragsPrices = false
  })

  // The browser started scrolling the page: revert the movement of the view so far.
  on('pointercancel', (event) => {
    if (!fingers.delete(event.pointerId)) return
    trail = []
    if (fingers.size === 0) takeBack()
  })

  on('wheel', (event) => {
    event.preventDefault()
    halt(view)
    listener.grab()
    const unit = WHEEL_PX[event.deltaMode] ?? 1
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit]
    const sideways = event.shiftKey ? dx || dy : dx
    if (!event.ctrlKey && Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : dy)) {
      moveView(view, { type: 'pan', days: sideways * daysPerPx() })
      return
    }
    if (dy === 0) return
    // Trackpad pinches arrive as wheel events with ctrl and small deltas.
    const factor = event.ctrlKey
      ? Math.exp(Math.max(-50, Math.min(50, dy)) * 0.01)
      : wheelFactor(dy)
    moveView(view, { type: 'zoom', factor, at: dayAt(placeOf(event).x) })
  })

  on('dblclick', (event) => {
    if (placeOf(event).x < plotOf().x) moveView(view, { type: 'follow prices' })
  })

  on('pointerleave', (event) => {
    if (event.pointerType !== 'touch') listener.leave()
  })

  on('keydown', (event) => {
    if (event.target !== box || event.ctrlKey || event.metaKey || event.altKey) return
    if (pressKey(view, event.key)) event.preventDefault()
  })

  return () => listening.abort()
}

function distance(a: Finger, b: Finger): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function speedOf(points: readonly { x: number; at: number }[], now: number): number {
  const [first, last] = [points[0], points.at(-1)]
  // No fling if the finger rested before it was lifted.
  if (!first || !last || last.at - first.at < 8 || now - last.at > 60) return 0
  return (last.x - first.x) / (last.at - first.at)
}

export function pressKey(view: ChartView, key: string): boolean {
  halt(view)
  const step = moveOf(key, view.viewport.days)
  if (step) moveView(view, step, { smooth: true })
  return step !== null
}

function moveOf(key: string, days: Span): Move | null {
  const at = (days[0] + days[1]) / 2
  const pan = KEY_STEP * lengthOf(days)
  const [nearer, farther]: Move[] = [0.9, 1.1].map((by) => ({ type: 'zoom', factor: by ** 3, at }))
  const moves: Readonly<Record<string, Move | undefined>> = {
    ArrowLeft: { type: 'pan', days: -pan },
    ArrowRight: { type: 'pan', days: pan },
    ArrowUp: { type: 'pan prices', part: KEY_STEP },
    ArrowDown: { type: 'pan prices', part: -KEY_STEP },
    '+': nearer,
    '=': nearer,
    '-': farther,
    _: farther,
    '0': { type: 'reset' },
  }
  return moves[key] ?? null
}
