import { type Asset } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { type AverageTarget } from '#chart/average-target.ts'
import { frameView, homeSpan, priceDomain } from '#chart/axes.ts'
import { markAt } from '#chart/hit-test.ts'
import { dueDay, spansOf, type Mark } from '#chart/marks.ts'
import { between, lengthOf, union, type ScaleKind, type Span } from '#chart/scale.ts'
import { makeScene, type Scene, type Shape } from '#chart/scene.ts'
import { closeAt, type Series } from '#chart/series.ts'
import { THEMES, type ThemeName } from '#chart/theme.ts'
import { sameSpan, type TimeFrame } from '#chart/view-state.ts'
import {
  flingStep,
  move,
  openViewport,
  within,
  type Bounds,
  type Move,
  type Viewport,
} from '#chart/viewport.ts'
import { deviceDpr, stillMotion, watchDpr } from './device.ts'
import { paintBase, type Look } from './paint-base.ts'
import { paintTop, type Pointing } from './paint-top.ts'
import { makeSprites, textWidth } from './sprites.ts'

/** Everything the engine draws; a new object with the same parts costs only a repaint. */
export type Settings = {
  readonly asset: Asset
  readonly series: Series
  readonly marks: readonly Mark[]
  readonly average: AverageTarget | null
  readonly live: { readonly usd: number; readonly direction: 'up' | 'down' | null } | null
  readonly today: Day
  readonly theme: ThemeName
  readonly scale: ScaleKind
  readonly frame: TimeFrame | null
  readonly range: Span | null
  readonly prices: Span | null
  readonly watermark: string
}

/** What the chart shows once it is at rest. */
export type Settled = {
  readonly scene: Scene
  /** The view in whole days if the visitor chose it; null if the chart did. */
  readonly range: Span | null
  readonly prices: Span | null
}

export type Surfaces = {
  readonly box: HTMLElement
  readonly base: HTMLCanvasElement
  readonly top: HTMLCanvasElement
  /** The pulse of the live price. */
  readonly live: HTMLElement
}

export type Engine = ReturnType<typeof makeEngine>

/** A movement counts as over after this pause (public-site.md §9, "Timing and layout"). */
const SETTLE_MS = 150
/** Buttons, resets and new predictions move the view within this time. */
const GLIDE_MS = 180

/**
 * Draws a chart on two canvases and keeps it up to date: one animation frame loop that sleeps when nothing changes, and a
 * viewport that only the engine changes; no React.
 *
 * @param onSettle called after the last change, never per frame
 */
export function makeEngine(surfaces: Surfaces, onSettle: (settled: Settled) => void) {
  const { box, base, top, live } = surfaces
  const basePen = base.getContext('2d', { alpha: false })
  const topPen = top.getContext('2d')
  let settings: Settings | null = null
  let look: Look | null = null
  let viewport: Viewport | null = null
  let bounds: Bounds | null = null
  let scene: Scene | null = null
  let size = { width: 0, height: 0 }
  let dirty = { base: false, top: false }
  let frame = 0
  let settling: ReturnType<typeof setTimeout> | undefined
  let glide: { days: Span; prices: Span; since: number } | null = null
  let fling: { velocity: number; at: number } | null = null
  let pointing: { cross: Pointing['cross']; id: string | null } = { cross: null, id: null }
  let moved = false
  /** The last report; settings that repeat it are our own echo, however late they come. */
  let reported: Pick<Settled, 'range' | 'prices'> = { range: null, prices: null }

  const autoPrices = (days: Span, reach: Span, now: Settings): Span =>
    priceDomain({
      axis: now.asset.axis,
      kind: now.scale,
      series: now.series,
      marks: now.marks,
      days,
      reach,
      live: now.live?.usd ?? null,
    })

  const pricesOf = (now: Settings, at: Viewport): Span => {
    const usable = at.prices && (now.scale === 'linear' || at.prices[0] > 0)
    return usable && at.prices ? at.prices : autoPrices(at.days, at.reach, now)
  }

  const boundsOf = (now: Settings): Omit<Bounds, 'prices'> => {
    const claims = now.marks.filter(
      ({ kind }) => kind !== 'ahead' && kind !== 'success' && kind !== 'break',
    )
    const question = {
      axis: now.asset.axis,
      frame: now.frame,
      series: now.series,
      ends: claims.map(({ prediction }) => dueDay(prediction)),
      today: now.today,
    }
    const home = homeSpan(question)
    return {
      home,
      opening: frameView(question, home),
      scale: now.scale,
      panFloor: now.asset.axis.panFloor,
    }
  }

  /** Applies new settings; parts that did not change stay as they are, even in the middle of a gesture. */
  function set(next: Settings): void {
    const before = settings
    const wasOpening = viewport !== null && viewport.days === bounds?.opening
    settings = next
    if (!look || before?.theme !== next.theme || look.dpr !== deviceDpr()) look = lookOf(next)
    look = { ...look, direction: next.live?.direction ?? null, watermark: next.watermark }
    const limits = boundsOf(next)
    const active = spansOf(next.marks)
    if (!before || !viewport || before.asset !== next.asset) {
      viewport = openViewport(
        next.range,
        next.prices,
        limits,
        next.range ? active.map(({ id }) => id) : [],
      )
      moved = next.range !== null || next.prices !== null
      glide = null
    } else if (before.frame !== next.frame) {
      startGlide()
      const days = next.range ? within(next.range, limits.home) : limits.opening
      viewport = { ...viewport, days, reach: union(days, limits.opening), prices: next.prices }
      moved = next.range !== null
    } else if (wasOpening && !sameSpan(viewport.days, limits.opening)) {
      viewport = { ...viewport, days: limits.opening, reach: limits.opening }
    }
    // A price range chosen on a linear axis does not fit a log axis.
    if (before && before.scale !== next.scale) viewport = { ...viewport, prices: null }
    bounds = { ...limits, prices: pricesOf(next, viewport) }
    if (before && before.frame === next.frame) followWishes(before, next)
    if (before?.marks !== next.marks)
      apply({ type: 'fit', active }, { smooth: before !== null, byPerson: false })
    invalidate()
  }

  /** The address has changed: go where it says, unless it only repeats our report. */
  function followWishes(before: Settings, next: Settings): void {
    if (!viewport || !bounds) return
    if (!sameSpan(before.range, next.range) && !sameSpan(next.range, reported.range)) {
      const step: Move = next.range ? { type: 'show', days: next.range } : { type: 'reset' }
      apply(step, { smooth: true, byPerson: next.range !== null })
    }
    if (!sameSpan(before.prices, next.prices) && !sameSpan(next.prices, reported.prices)) {
      viewport = { ...viewport, prices: next.prices }
    }
  }

  function apply(
    step: Move,
    how: { smooth: boolean; byPerson: boolean } = { smooth: false, byPerson: true },
  ): void {
    if (!viewport || !bounds || !settings) return
    const next = move(viewport, step, bounds)
    if (step.type === 'reset') moved = false
    else if (how.byPerson) moved = true
    if (next === viewport) return
    if (how.smooth) startGlide()
    else glide = null
    viewport = next
    bounds = { ...bounds, prices: pricesOf(settings, viewport) }
    invalidate()
  }

  function startGlide(): void {
    fling = null
    if (!scene || stillMotion()) return
    glide = { days: scene.days, prices: scene.prices, since: performance.now() }
  }

  function startFling(pxPerMs: number): void {
    if (Math.abs(pxPerMs) < 0.2 || stillMotion()) return
    fling = { velocity: pxPerMs, at: performance.now() }
    invalidate()
  }

  /** Remembers the view. @returns restores it, as if it had not been moved since */
  function remember(): () => void {
    const [then, wasMoved] = [viewport, moved]
    return () => {
      if (!then || viewport === then || !settings || !bounds) return
      halt()
      viewport = then
      moved = wasMoved
      bounds = { ...bounds, prices: pricesOf(settings, then) }
      invalidate()
    }
  }

  /** Any new touch, key or wheel stops what is still moving. */
  function halt(): void {
    fling = null
    glide = null
  }

  function point(cross: Pointing['cross'], id: string | null): void {
    if (pointing.cross === null && cross === null && pointing.id === id) return
    pointing = { cross, id }
    dirty.top = true
    wake()
  }

  function invalidate(): void {
    dirty = { base: true, top: true }
    wake()
  }

  function wake(): void {
    if (frame === 0) frame = requestAnimationFrame(tick)
  }

  function tick(now: number): void {
    frame = 0
    stepFling(now)
    paint(now)
    if (fling || glide) invalidate()
  }

  function stepFling(now: number): void {
    if (!fling || !scene || !viewport) return
    const step = flingStep(fling.velocity, Math.min(50, Math.max(0, now - fling.at)))
    fling = step.velocity === 0 ? null : { velocity: step.velocity, at: now }
    const flying = fling
    apply({
      type: 'pan',
      days: (-step.px / Math.max(1, scene.plot.width)) * lengthOf(viewport.days),
    })
    fling = flying
  }

  function paint(now: number): void {
    if (!settings || !viewport || !look || size.width === 0 || size.height === 0) return
    if (dirty.base) {
      scene = sceneNow(settings, viewport, now, look.dpr)
      if (basePen) paintBase(basePen, scene, look)
      placeLive(scene)
      clearTimeout(settling)
      settling = setTimeout(settle, SETTLE_MS)
    }
    if (dirty.top && scene && topPen) {
      paintTop(topPen, scene, look, { ...pointing, said: saidAt(scene) })
    }
    dirty = { base: false, top: false }
  }

  function sceneNow(now: Settings, at: Viewport, time: number, dpr: number): Scene {
    const prices = pricesOf(now, at)
    let shown = { days: at.days, prices }
    if (glide) {
      const part = Math.min(1, Math.max(0, (time - glide.since) / GLIDE_MS))
      const eased = 1 - (1 - part) ** 3
      shown = {
        days: between('linear', glide.days, at.days, eased),
        prices: between(now.scale, glide.prices, prices, eased),
      }
      if (part >= 1) glide = null
    }
    return makeScene({
      axis: now.asset.axis,
      ...size,
      dpr,
      ...shown,
      scale: now.scale,
      series: now.series,
      marks: now.marks,
      average: now.average,
      live: now.live ? { day: now.today, usd: now.live.usd } : null,
      pricesChosen: at.prices !== null,
      measure: textWidth,
    })
  }

  function placeLive({ last, plot }: Scene): void {
    const inside =
      last !== null &&
      settings?.live != null &&
      last.x >= plot.x &&
      last.x <= plot.x + plot.width &&
      last.y >= plot.y &&
      last.y <= plot.y + plot.height
    live.style.visibility = inside ? 'visible' : 'hidden'
    if (inside) live.style.transform = `translate(${String(last.x)}px, ${String(last.y)}px)`
  }

  function saidAt(now: Scene): Pointing['said'] {
    if (pointing.id === null || !settings) return null
    const mark = settings.marks.find(({ prediction }) => prediction.id === pointing.id)
    if (!mark) return null
    const close = closeAt(settings.series, mark.prediction.made)
    return close && { x: now.time.toPx(mark.prediction.made), y: now.price.toPx(close.usd) }
  }

  function shownRange(): Span | null {
    return viewport && [Math.round(viewport.days[0]), Math.round(viewport.days[1])]
  }

  function settle(): void {
    if (glide || fling || !scene) return
    reported = { range: moved ? shownRange() : null, prices: viewport?.prices ?? null }
    onSettle({ scene, ...reported })
  }

  /** A canvas that changes its size is blank until it is painted, so it is painted at once. */
  function resize(): void {
    const dpr = deviceDpr()
    size = { width: box.clientWidth, height: box.clientHeight }
    if (size.width === 0 || size.height === 0) return
    for (const canvas of [base, top]) {
      canvas.width = Math.round(size.width * dpr)
      canvas.height = Math.round(size.height * dpr)
    }
    if (settings) look = lookOf(settings)
    dirty = { base: true, top: true }
    paint(performance.now())
  }

  function lookOf(now: Settings): Look {
    const theme = THEMES[now.theme]
    const dpr = deviceDpr()
    const sprites =
      look && look.dpr === dpr && look.theme === theme
        ? look.sprites
        : makeSprites(theme, dpr, theme.surface)
    return {
      theme,
      ground: theme.surface,
      dpr,
      sprites,
      watermark: now.watermark,
      direction: now.live?.direction ?? null,
    }
  }

  const observer = new ResizeObserver(resize)
  observer.observe(box)
  const stopWatching = watchDpr(resize)

  return {
    set,
    apply,
    startFling,
    halt,
    remember,
    point,
    invalidate,
    /** Draws all texts again with newly measured widths: the web font has loaded. */
    refont(): void {
      look = null
      if (settings) look = lookOf(settings)
      invalidate()
    },
    scene: () => scene,
    /** The current picture for another device pixel ratio. */
    sceneFor: (dpr: number): Scene | null =>
      settings && viewport ? sceneNow(settings, viewport, Infinity, dpr) : null,
    shownRange,
    viewport: () => viewport,
    bounds: () => bounds,
    look: () => look,
    shapeAt: (x: number, y: number, tolerance: number): Shape | null =>
      scene ? markAt(scene, x, y, tolerance) : null,
    destroy(): void {
      cancelAnimationFrame(frame)
      clearTimeout(settling)
      observer.disconnect()
      stopWatching()
    },
  }
}
