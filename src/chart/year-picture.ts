import { type Outcome } from '#domain/judging/verdict.ts'
import { frame, legend, strip, titleOf } from './people-picture.ts'
import { PEOPLE_SIZE } from './picture-sizes.ts'
import { fitted, fittedName, footOf, nameInPicture, textOf, widthOf } from './picture-text.ts'
import { SITE_THEMES } from './site-theme.ts'

const THEME = SITE_THEMES.light
const EDGE = 56
const RIGHT = PEOPLE_SIZE.width - EDGE
const GAP = 40
const FOOT = 592
/** No words are smaller, so that they can be read where the picture is shown a third as large. */
const SMALL = 26
/** More marks than these would only hide each other. */
const MOST_MARKS = 400

/** One of the three things that a year is remembered for. */
export type YearFact = {
  readonly name: string
  /** Who or what it is. */
  readonly title: string
  readonly isPerson: boolean
  /** Up to two lines about it. */
  readonly lines: readonly string[]
}

/** The card of a year: what became of its calls against luck, each call by luck, and three facts. */
export function yearPicture({
  finding,
  calls,
  facts,
  source,
  address,
  siteName,
}: {
  readonly finding: string
  readonly calls: readonly { readonly luck: number | null; readonly outcome: Outcome }[]
  readonly facts: readonly YearFact[]
  /** `As of 23/11/2026, by intraday prices` */
  readonly source: string
  /** Where the card is, without the protocol: `proofofprice.org/years/2025` */
  readonly address: string
  readonly siteName: string
}): string {
  const title = titleOf(finding, 2, [46, 42, 38, 34])
  const words = { size: SMALL, weight: 400, colour: THEME.ink2 }
  const width = (RIGHT - EDGE - (facts.length - 1) * GAP) / facts.length
  return frame(finding, [
    title.markup,
    strip(calls.slice(0, MOST_MARKS), {
      x: EDGE,
      width: RIGHT - EDGE,
      y: 214,
      radius: 11,
      most: 2,
    }),
    textOf('bold: luck says 0 %', EDGE, 300, words),
    legend(600, 300, false),
    textOf('easy: 100 %', RIGHT, 300, { ...words, end: true }),
    ...facts.map((fact, i) => factAt(fact, EDGE + i * (width + GAP), width)),
    textOf(fitted(source, SMALL, RIGHT - EDGE), EDGE, 536, words),
    footOf({ siteName, address }, { left: EDGE, right: RIGHT, y: FOOT }),
  ])
}

function factAt({ name, title, isPerson, lines }: YearFact, x: number, room: number): string {
  const shown = isPerson ? nameInPicture(title) : title
  const size = [36, 32, 28].find((px) => widthOf(shown, px) <= room) ?? SMALL
  return [
    `<path d="M${x.toFixed(1)},336h${room.toFixed(1)}" stroke="${THEME.hairline}" stroke-width="2"/>`,
    textOf(name, x, 374, { size: SMALL, weight: 400, colour: THEME.ink2 }),
    textOf((isPerson ? fittedName : fitted)(shown, size, room), x, 418, {
      size,
      weight: 700,
      colour: THEME.ink,
    }),
    ...lines.slice(0, 2).map((line, i) =>
      textOf(fitted(line, SMALL, room), x, 454 + i * 34, {
        size: SMALL,
        weight: 400,
        colour: THEME.ink,
      }),
    ),
  ].join('')
}
