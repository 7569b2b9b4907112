import '#web/ui/base.css'
import './bench.css'
import { mountLightweight } from './lightweight.ts'
import { mountEngine, mountShell } from './own.tsx'
import { type Mounted, sample } from './sample.ts'

declare global {
  interface Window {
    bench: {
      ready: Promise<{ firstMs: number }>
      /** Pans and zooms for `ms` milliseconds; returns the time of each frame, ms. */
      run: (ms: number) => Promise<number[]>
    }
  }
}

const params = new URLSearchParams(location.search)
const root = document.getElementById('root') as HTMLElement
const data = sample('btc', Number(params.get('n') ?? 0))
const home = [16_436, 22_567] as const

const MOUNTS = { engine: mountEngine, shell: mountShell, lightweight: mountLightweight }
const mount = MOUNTS[params.get('lib') as keyof typeof MOUNTS]
await document.fonts.load("500 11px 'Inter Variable'")
const before = performance.now()
const mounted = mount(root, data, home, params.get('threads') === 'on')
window.bench = {
  ready: afterFrames(2).then(() => ({ firstMs: performance.now() - before })),
  run: (ms) => play(mounted, ms),
}
document.documentElement.dataset['loaded'] = 'true'

async function afterFrames(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await nextFrame()
}

function nextFrame(): Promise<number> {
  return new Promise((done) => {
    requestAnimationFrame(done)
  })
}

/** The view depends on the time only, so that every candidate shows the same frames. */
async function play({ show }: Mounted, ms: number): Promise<number[]> {
  const span = home[1] - home[0]
  const frames: number[] = []
  const start = await nextFrame()
  for (let now = start; now - start < ms; now = await nextFrame()) {
    const part = (now - start) / ms
    const zoom = 0.54 + 0.46 * Math.cos(part * 4 * Math.PI)
    const middle = home[0] + span * (0.5 + 0.3 * Math.sin(part * 6 * Math.PI) * (1 - zoom))
    show(middle - (span * zoom) / 2, middle + (span * zoom) / 2)
    frames.push(now)
  }
  return frames
}
