import { lengthOf } from '#chart/scale.ts'
import { wheelFactor } from '#chart/viewport.ts'
import { type Engine } from './engine.ts'

/** What gestures report to the page; places are CSS pixels within the chart. */
export type Listener = {
  /** A mouse or pen is over this place, or has left. */
  readonly hover: (x: number, y: number) => void
  readonly leave: () => void
  /** A click or tap that was no drag. */
  readonly click: (at: { x: number; y: number; touch: boolean; shift: boolean }) => void
  /** The view begins to move: anything that points at a place is out of date. */
  readonly grab: () => void
}

type Finger = { x: number; y: number }

/** Less movement than this is a click: a hand is steadier on a mouse than on glass. */
const CLICK_PX = { mouse: 4, touch: 10 } as const
/** A fling takes its speed from the last movements within this time. */
const SPEED_MS = 100
/** Fingers closer than this are too close to measure their distance. */
const LEAST_PINCH_PX = 12
/** Part of the view that one press of an arrow moves. */
const KEY_STEP = 0.1

/**
 * Translates pointer, wheel and key events into movements of the engine.
 *
 * One finger up or down still scrolls the page (`touch-action: pan-y` in the style sheet); the browser then takes the
 * pointer away by `pointercancel`, which must not fling.
 *
 * @returns takes all listeners off again
 */
export function listen(box: HTMLElement, engine: Engine, listener: Listener): () => void {
  const fingers = new Map<number, Finger>()
  let travelled = 0
  let dragsPrices = false
  let trail: { x: number; at: number }[] = []
  /** Undoes the movement since the first finger touched the chart. */
  let takeBack = () => {}

  const placeOf = (event: MouseEvent): Finger => {
    const rect = box.getBoundingClientRect()
    return { x: event.clientX - rect.left, y: event.clientY - rect.top }
  }
  const daysPerPx = () => {
    const [scene, viewport] = [engine.scene(), engine.viewport()]
    return scene && viewport ? lengthOf(viewport.days) / Math.max(1, scene.plot.width) : 0
  }
  const partAt = (x: number) => {
    const plot = engine.scene()?.plot
    return plot ? (x - plot.x) / Math.max(1, plot.width) : 0.5
  }

  function down(event: PointerEvent): void {
    if (event.pointerType === 'mouse' && event.button !== 0) return
    // Buttons over the plot, such as a suggestion, handle their own presses.
    if (event.target instanceof Element && event.target.closest('button')) return
    engine.halt()
    const at = placeOf(event)
    if (fingers.size === 0) {
      travelled = 0
      takeBack = engine.remember()
      trail = [{ x: at.x, at: event.timeStamp }]
      dragsPrices = event.pointerType !== 'touch' && at.x < (engine.scene()?.plot.x ?? 0)
    }
    fingers.set(event.pointerId, at)
    box.setPointerCapture(event.pointerId)
  }

  function moveTo(event: PointerEvent): void {
    const at = placeOf(event)
    const before = fingers.get(event.pointerId)
    if (!before) {
      if (event.pointerType !== 'touch') listener.hover(at.x, at.y)
      return
    }
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1]
    fingers.set(event.pointerId, at)
    travelled += Math.hypot(at.x - before.x, at.y - before.y)
    if (travelled > CLICK_PX.mouse) listener.grab()
    if (other) pinch(before, at, other)
    else if (dragsPrices) {
      engine.apply({ type: 'zoom prices', factor: Math.exp((at.y - before.y) / 200) })
    } else drag(before, at, event)
  }

  function drag(before: Finger, at: Finger, event: PointerEvent): void {
    engine.apply({ type: 'pan', days: (before.x - at.x) * daysPerPx() })
    // After the price axis was moved, the picture follows a mouse in all directions; a finger's up and down scrolls the page.
    const height = engine.scene()?.plot.height ?? 0
    if (engine.viewport()?.prices && event.pointerType !== 'touch' && height > 0) {
      engine.apply({ type: 'pan prices', part: (at.y - before.y) / height })
    }
    trail = [
      ...trail.filter((point) => event.timeStamp - point.at < SPEED_MS),
      { x: at.x, at: event.timeStamp },
    ]
  }

  /** The day between the fingers stays between them, and the span follows their distance in any direction. */
  function pinch(before: Finger, at: Finger, other: Finger): void {
    const was = Math.max(LEAST_PINCH_PX, Math.hypot(before.x - other.x, before.y - other.y))
    const is = Math.max(LEAST_PINCH_PX, Math.hypot(at.x - other.x, at.y - other.y))
    travelled = CLICK_PX.touch + 1
    trail = []
    // Movements between two frames build on each other, so this uses the viewport, not the last picture.
    const days = engine.viewport()?.days
    if (!days) return
    const anchor = days[0] + partAt((before.x + other.x) / 2) * lengthOf(days)
    engine.apply({
      type: 'pinch',
      factor: was / is,
      at: anchor,
      part: partAt((at.x + other.x) / 2),
    })
  }

  function up(event: PointerEvent): void {
    if (!fingers.delete(event.pointerId) || fingers.size > 0) return
    const at = placeOf(event)
    const touch = event.pointerType === 'touch'
    if (travelled <= (touch ? CLICK_PX.touch : CLICK_PX.mouse)) {
      listener.click({ ...at, touch, shift: event.shiftKey })
    } else if (!dragsPrices) engine.startFling(speedOf(trail, event.timeStamp))
    dragsPrices = false
  }

  /** The browser took the finger for scrolling the page: undoes the small movement of the view until then. */
  function cancel(event: PointerEvent): void {
    if (!fingers.delete(event.pointerId)) return
    trail = []
    if (fingers.size === 0) takeBack()
  }

  function wheel(event: WheelEvent): void {
    event.preventDefault()
    engine.halt()
    listener.grab()
    const unit =
      event.deltaMode === WheelEvent.DOM_DELTA_LINE
        ? 33
        : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
          ? 800
          : 1
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit]
    const sideways = event.shiftKey ? dx || dy : dx
    if (!event.ctrlKey && Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : dy)) {
      engine.apply({ type: 'pan', days: sideways * daysPerPx() })
      return
    }
    if (dy === 0) return
    // A trackpad's pinch comes as wheel events with ctrl, whose small deltas mean a ratio.
    const factor = event.ctrlKey
      ? Math.exp(Math.max(-50, Math.min(50, dy)) * 0.01)
      : wheelFactor(dy)
    const { x } = placeOf(event)
    const days = engine.viewport()?.days
    if (days) engine.apply({ type: 'zoom', factor, at: days[0] + partAt(x) * lengthOf(days) })
  }

  function doubleClick(event: MouseEvent): void {
    if (placeOf(event).x < (engine.scene()?.plot.x ?? 0)) engine.apply({ type: 'follow prices' })
  }

  function leave(event: PointerEvent): void {
    if (event.pointerType !== 'touch') listener.leave()
  }

  function key(event: KeyboardEvent): void {
    if (event.target !== box || event.ctrlKey || event.metaKey || event.altKey) return
    engine.halt()
    if (pressKey(engine, event.key)) event.preventDefault()
  }

  box.addEventListener('keydown', key)
  box.addEventListener('pointerdown', down)
  box.addEventListener('pointermove', moveTo)
  box.addEventListener('pointerup', up)
  box.addEventListener('pointercancel', cancel)
  box.addEventListener('pointerleave', leave)
  box.addEventListener('dblclick', doubleClick)
  box.addEventListener('wheel', wheel, { passive: false })
  return () => {
    box.removeEventListener('keydown', key)
    box.removeEventListener('pointerdown', down)
    box.removeEventListener('pointermove', moveTo)
    box.removeEventListener('pointerup', up)
    box.removeEventListener('pointercancel', cancel)
    box.removeEventListener('pointerleave', leave)
    box.removeEventListener('dblclick', doubleClick)
    box.removeEventListener('wheel', wheel)
  }

  function speedOf(points: readonly { x: number; at: number }[], now: number): number {
    const [first, last] = [points[0], points.at(-1)]
    // A finger that rested before it was lifted does not fling.
    if (!first || !last || last.at - first.at < 8 || now - last.at > 60) return 0
    return (last.x - first.x) / (last.at - first.at)
  }
}

/** Moves the view by a key; false when the key has no meaning here. */
export function pressKey(engine: Engine, key: string): boolean {
  const viewport = engine.viewport()
  if (!viewport) return false
  const middle = (viewport.days[0] + viewport.days[1]) / 2
  const step = lengthOf(viewport.days) * KEY_STEP
  const smooth = { smooth: true, byPerson: true }
  switch (key) {
    case 'ArrowLeft':
      engine.apply({ type: 'pan', days: -step }, smooth)
      return true
    case 'ArrowRight':
      engine.apply({ type: 'pan', days: step }, smooth)
      return true
    case 'ArrowUp':
      engine.apply({ type: 'pan prices', part: KEY_STEP }, smooth)
      return true
    case 'ArrowDown':
      engine.apply({ type: 'pan prices', part: -KEY_STEP }, smooth)
      return true
    case '+':
    case '=':
      engine.apply({ type: 'zoom', factor: 0.9 ** 3, at: middle }, smooth)
      return true
    case '-':
    case '_':
      engine.apply({ type: 'zoom', factor: 1.1 ** 3, at: middle }, smooth)
      return true
    case '0':
      engine.apply({ type: 'reset' }, { smooth: true, byPerson: false })
      return true
    default:
      return false
  }
}
