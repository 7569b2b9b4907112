import { useEffect, useState, type ReactNode, type RefObject } from 'react'
import { type ScaleKind } from '#chart/scale.ts'
import { TIME_FRAMES, type ViewState } from '#chart/view-state.ts'
import { JUDGE_MODES, MODE_NAMES } from '#domain/judging/verdict.ts'
import { after } from '#web/ui/hooks.ts'
import { type Engine } from './engine.ts'
import { pressKey } from './gestures.ts'

type ToolbarProps = {
  readonly engineRef: RefObject<Engine | null>
  readonly view: ViewState
  readonly scale: ScaleKind
  readonly onView: (view: ViewState) => void
  readonly onTargets: () => void
  readonly heading: string
  /** File name of a saved picture, without the date. */
  readonly fileName: string
  readonly about: string
  readonly shareUrl: (view: ViewState) => string
}

const MODE_HINTS = {
  touch: 'Judge by daily highs and lows',
  close: 'Judge by daily closes only',
} as const

/** Buttons with the keys that do the same. */
const MOVES = [
  ['Zoom out', '-', 'M-4 0H4'],
  ['Zoom in', '+', 'M-4 0H4M0-4V4'],
  ['Pan left', 'ArrowLeft', 'M2-4-2 0 2 4'],
  ['Pan right', 'ArrowRight', 'M-2-4 2 0-2 4'],
  ['Reset view', '0', 'M-5-2V-5H-2M2-5H5V-2M5 2V5H2M-2 5H-5V2'],
] as const
const ICONS = {
  save: 'M0-5V2M-3-1 0 2 3-1M-5 5H5',
  link: 'M-1.2 1.2 1.2-1.2M-.4-2.4 1-3.8A2 2 0 0 1 3.8-1L2.4.4M.4 2.4-1 3.8A2 2 0 0 1-3.8 1L-2.4-.4',
} as const

const NOT_SAVED = 'The picture could not be saved'
const NOTICE_MS = 6_000

export function Toolbar(props: ToolbarProps) {
  const { engineRef, view, scale, onView, onTargets, heading, fileName, about, shareUrl } = props
  const [notice, setNotice] = useState('')
  useEffect(() => {
    if (notice === '') return
    return after(NOTICE_MS, () => setNotice(''))
  }, [notice])

  const copyLink = async () => {
    const address = shareUrl(view)
    try {
      await navigator.clipboard.writeText(address)
      setNotice('Link copied')
    } catch {
      setNotice('The browser did not let us copy; the address bar has the link')
    }
  }
  const save = async () => {
    try {
      // Few visitors save a picture, so the code is loaded on demand.
      const { savePicture } = await import('./save-picture.ts')
      const isSaved = await savePicture(engineRef.current, { title: heading, about, fileName })
      setNotice(isSaved ? 'Picture saved' : NOT_SAVED)
    } catch {
      setNotice(NOT_SAVED)
    }
  }

  return (
    <div
      className="price-chart-toolbar relative by-script by-screen"
      role="group"
      aria-label="Chart controls"
    >
      <div role="group" aria-label="Time frame" className="price-chart-group">
        {TIME_FRAMES.map((frame) => (
          <Switch
            key={frame}
            on={view.frame === frame}
            onPress={() => {
              const chosen = view.frame === frame ? null : frame
              onView({ ...view, frame: chosen, range: null, prices: null })
            }}
          >
            {frame}
          </Switch>
        ))}
      </div>
      <button
        type="button"
        className="price-chart-more"
        popoverTarget="chart-tools"
        aria-label="More chart tools"
      >
        <svg {...SIGN}>
          <path strokeWidth="2.5" d="M-5 0h.01M0 0h.01M5 0h.01" />
        </svg>
      </button>
      {/* Phones show a sheet. */}
      <div id="chart-tools" popover="auto" className="price-chart-tools">
        <div role="group" aria-label="Picture" className="price-chart-group">
          <Switch
            on={scale === 'log'}
            hint="Logarithmic price axis"
            onPress={() =>
              onView({ ...view, scale: scale === 'log' ? 'linear' : 'log', prices: null })
            }
          >
            Log
          </Switch>
          <Switch
            on={view.threads}
            hint="Join each prediction to the price of the day it was made"
            onPress={() => onView({ ...view, threads: !view.threads })}
          >
            Threads
          </Switch>
          <Switch on={view.targets !== null} hint="Where open calls aim" onPress={onTargets}>
            Open targets
          </Switch>
        </div>
        <div role="group" aria-label="Judge by" className="price-chart-group">
          <span className="price-chart-label" aria-hidden="true">
            Judge by:
          </span>
          {JUDGE_MODES.map((mode) => (
            <Switch
              key={mode}
              on={view.mode === mode}
              hint={MODE_HINTS[mode]}
              onPress={() => onView({ ...view, mode })}
            >
              {MODE_NAMES[mode]}
            </Switch>
          ))}
        </div>
        <div
          role="group"
          aria-label="Move the view"
          className="price-chart-group price-chart-moves"
        >
          {MOVES.map(([name, key, icon]) => (
            <Action
              key={key}
              {...{ name, icon }}
              onPress={() => void (engineRef.current && pressKey(engineRef.current.view, key))}
            />
          ))}
        </div>
        <div role="group" aria-label="Share" className="price-chart-group">
          <Action name="Save as PNG" onPress={() => void save()} icon={ICONS.save} />
          <Action name="Copy link" onPress={() => void copyLink()} icon={ICONS.link} />
        </div>
      </div>
      <p role="status" className="price-chart-notice raised">
        {notice}
      </p>
    </div>
  )
}

const SIGN = {
  viewBox: '-8 -8 16 16',
  width: 16,
  height: 16,
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const

function Switch(props: {
  readonly on: boolean
  readonly onPress: () => void
  readonly hint?: string
  readonly children: ReactNode
}) {
  return (
    <button type="button" aria-pressed={props.on} title={props.hint} onClick={props.onPress}>
      {props.children}
    </button>
  )
}

function Action({
  name,
  icon,
  onPress,
}: {
  readonly name: string
  readonly icon: string
  readonly onPress: () => void
}) {
  return (
    <button type="button" aria-label={name} title={name} onClick={onPress}>
      <svg {...SIGN}>
        <path d={icon} />
      </svg>
    </button>
  )
}
