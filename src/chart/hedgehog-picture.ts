import { OUTCOME_ORDER, outcomeColour } from './colours.ts'
import { makeHedgehog, type Hedgehog, type HedgehogQuestion } from './hedgehog.ts'
import { frame, legend, titleOf } from './people-picture.ts'
import { PEOPLE_SIZE } from './picture-sizes.ts'
import { fitted, footOf, textOf } from './picture-text.ts'
import { pathOf } from './series.ts'
import { SITE_THEMES } from './site-theme.ts'

const THEME = SITE_THEMES.light
const EDGE = 56
const RIGHT = PEOPLE_SIZE.width - EDGE
const FOOT = 604
const SMALL = 26
/** Letters of a share picture are read at a third of its size. */
const LETTERS = 1.8

/** The hedgehog as a picture for sharing: its finding, what the threads are, source and address inside. */
export function hedgehogPicture({
  finding,
  source,
  address,
  siteName,
  year,
  ...question
}: Omit<HedgehogQuestion, 'width' | 'height' | 'letters'> & {
  readonly finding: string
  /** `Closes as of 23/11/2026, judged by intraday prices` */
  readonly source: string
  /** Where the picture is, without the protocol. */
  readonly address: string
  readonly siteName: string
  /** The year whose calls are shown; null for all. */
  readonly year: number | null
}): string {
  const title = titleOf(finding, 2, [42, 38, 34, 30])
  const top = title.bottom + 56
  const drawn = makeHedgehog({
    ...question,
    width: RIGHT - EDGE + 40,
    height: 530 - top,
    letters: LETTERS,
  })
  const words = { size: SMALL, weight: 400, colour: THEME.ink2 }
  return frame(finding, [
    title.markup,
    textOf('A line is a call, a thick one the middle of a year', EDGE, title.bottom + 36, words),
    legend(RIGHT - 222, title.bottom + 36),
    `<g transform="translate(${String(EDGE - 20)} ${String(top)})">${hedgehogMarkup(drawn, year)}</g>`,
    textOf(fitted(source, SMALL, RIGHT - EDGE), EDGE, FOOT - 44, words),
    footOf({ siteName, address }, { left: EDGE, right: RIGHT, y: FOOT }),
  ])
}

function hedgehogMarkup(drawn: Hedgehog, year: number | null): string {
  const { plot, columns, rows, threads, consensus, last } = drawn
  const size = String(11 * LETTERS)
  const foot = plot.y + plot.height
  const own = threads.filter((thread) => year === null || thread.year === year)
  return [
    ...rows.map(
      ({ y, label }) =>
        `<path d="M${n(plot.x)},${n(y)}h${n(plot.width)}" stroke="${THEME.hairline}"/><text x="${n(plot.x - 8)}" y="${n(y + 7)}" fill="${THEME.ink2}" font-size="${size}" text-anchor="end">${label}</text>`,
    ),
    ...columns.map(
      ({ x, label }) =>
        `<text x="${n(x)}" y="${n(foot + 30)}" fill="${THEME.ink2}" font-size="${size}" text-anchor="middle">${label}</text>`,
    ),
    ...OUTCOME_ORDER.map((outcome) => {
      const of = own.filter((thread) => thread.of.outcome === outcome)
      if (of.length === 0) return ''
      const lines = of.map(({ x0, y0, x1, y1 }) => `M${n(x0)},${n(y0)}L${n(x1)},${n(y1)}`).join('')
      const colour = outcomeColour(THEME, outcome)
      const ends = of
        .filter(({ isCut }) => !isCut)
        .map(
          ({ x1, y1 }) =>
            `<circle cx="${n(x1)}" cy="${n(y1)}" r="3.6" fill="${outcome === 'hit' ? colour : THEME.page}" stroke="${colour}" stroke-width="1.4"/>`,
        )
      return `<path d="${lines}" fill="none" stroke="${colour}" stroke-width="1.3" stroke-opacity="${year === null ? '0.45' : '0.8'}"/>${ends.join('')}`
    }),
    `<path d="${pathOf(drawn.line)}" fill="none" stroke="${THEME.brand}" stroke-width="4" stroke-linejoin="round"/>`,
    ...consensus
      .filter((thread) => year === null || thread.year === year)
      .map(({ x0, y0, x1, y1 }) => consensusMarkup(x0, y0, x1, y1)),
    last
      ? `<text x="${n(plot.x + plot.width + 8)}" y="${n(last.y + 7)}" fill="${THEME.brandText}" font-size="${size}" font-weight="700">${last.text}</text>`
      : '',
  ].join('')
}

function consensusMarkup(x0: number, y0: number, x1: number, y1: number): string {
  return `<path d="M${n(x0)},${n(y0)}L${n(x1)},${n(y1)}" stroke="${THEME.ink}" stroke-width="3.4" stroke-opacity="0.75"/>`
}

/** Rounds to a tenth of a pixel. */
function n(value: number): string {
  return String(Math.round(value * 10) / 10)
}
