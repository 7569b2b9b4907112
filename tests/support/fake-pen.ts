import { vi } from 'vitest'
import { type Pen } from '#web/chart-canvas/sprites.ts'

export type Call = {
  readonly name: string
  readonly args: readonly unknown[]
  readonly pen: {
    readonly strokeStyle: unknown
    readonly globalAlpha: number
    readonly dash: unknown
  }
}

export function fakePen(): { pen: Pen; calls: Call[] } {
  const calls: Call[] = []
  const state: Record<string, unknown> = { strokeStyle: '#000', globalAlpha: 1, dash: [] }
  const record =
    (name: string) =>
    (...args: unknown[]) => {
      if (name === 'setLineDash') state['dash'] = args[0]
      const { strokeStyle, globalAlpha, dash } = state
      calls.push({ name, args, pen: { strokeStyle, globalAlpha: Number(globalAlpha), dash } })
      return name === 'measureText' ? { width: String(args[0]).length * 6 } : undefined
    }
  const pen = new Proxy(state, {
    get: (target, name) =>
      typeof name === 'string' && name in target ? target[name] : record(String(name)),
    set: (target, name, value) => {
      target[String(name)] = value
      return true
    },
  })
  return { pen: asPen(pen), calls }
}

/** Makes all canvases return a recording context, including `OffscreenCanvas`, since jsdom has neither. */
export function fakeCanvases(): void {
  // As set by the style sheet on desktop.
  document.head.innerHTML = '<style>.price-chart-tools { display: contents }</style>'
  const penOf = () => fakePen().pen
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(penOf)
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      width = 1
      height = 1
      getContext = penOf
      transferToImageBitmap = () => ({})
    },
  )
}

function asPen(value: object): Pen {
  return value as Pen
}

/** Stubs the other browser APIs of a chart: a box of this size, without motion. */
export function fakeFrame(size: { readonly width: number; readonly height: number }): void {
  fakeCanvases()
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => size.width)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(() => size.height)
  vi.stubGlobal('ResizeObserver', function observer(seen: () => void) {
    return { observe: () => queueMicrotask(seen), disconnect: () => {} }
  })
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('reduced-motion'),
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
}
