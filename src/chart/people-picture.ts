import { escapeMarkup } from '#domain/clean-text.ts'
import { plural } from '#domain/day.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { isolatedName } from '#domain/people/name.ts'
import { asWellText } from '#domain/scoring/score-text.ts'
import {
  balanced,
  fitted,
  fittedName,
  footOf,
  isDrawable,
  nameInPicture,
  type PictureSite,
  pictureMarkup,
  textOf,
  widthOf,
} from './picture-text.ts'
import { marksOf } from './strip-marks.ts'
import { THEMES } from './theme.ts'
import { PEOPLE_SIZE } from './view-picture.ts'

const THEME = THEMES.light
export const EDGE = 56
export const RIGHT = PEOPLE_SIZE.width - EDGE
const FOOT = 592
/** Minimum font size, readable when the picture is shown at a third of its size. */
export const SMALL = 26
export const QUIET = { size: SMALL, weight: 400, colour: THEME.ink2 } as const

type Call = { readonly luck: number | null; readonly outcome: Outcome }

export type PicturedPerson = {
  readonly name: string
  readonly calls: readonly Call[]
  /** `3 of 8` */
  readonly timeIsUp: string
  /** `3 of 8 came true, luck expects 2.5` */
  readonly againstLuck: string
  /** The same by column: `3 of 8` and `2.5`; null without a call to compare. */
  readonly compared: { readonly hits: string; readonly luck: string } | null
}

export function boardPicture(pictured: {
  readonly finding: string
  /** Placeholder for a name without a font. */
  readonly otherwise: string
  readonly people: readonly PicturedPerson[]
  /** `23/11/2026` */
  readonly asOf: string
  readonly selection: string | null
  readonly site: PictureSite
}): string {
  const { finding, otherwise, people, asOf, selection, site } = pictured
  const headline = isDrawable(finding) ? finding : otherwise
  const title = titleOf(headline, 2, [46, 42, 38, 34])
  const top = title.bottom + 100
  return frame(headline, [
    title.markup,
    textOf([`As of ${asOf}.`, selection].filter(Boolean).join(' '), EDGE, title.bottom + 50, QUIET),
    ...(people.length === 0
      ? []
      : [
          textOf('bold', STRIP.x, top, QUIET),
          textOf('easy', STRIP.x + STRIP.width, top, { ...QUIET, end: true }),
          textOf('came true', CAME_TRUE, top, { ...QUIET, end: true }),
          textOf('luck', RIGHT, top, { ...QUIET, end: true }),
        ]),
    rowsFrom(top + 8, people),
    footOf(site, { left: EDGE, right: RIGHT, y: FOOT }),
  ])
}

export function personPicture(pictured: {
  readonly person: PicturedPerson
  readonly isRanked: boolean
  readonly asOf: string
  readonly site: PictureSite
}): string {
  const { person, isRanked, asOf, site } = pictured
  const title = titleOf(isolatedName(nameInPicture(person.name)), 1, [64, 56, 48])
  const count = plural(person.calls.length, 'call')
  const rank = isRanked ? '' : '; too few are decided to say more'
  return frame(person.name, [
    title.markup,
    textOf(`${count} as of ${asOf}${rank}`, EDGE, title.bottom + 50, { ...QUIET, size: 30 }),
    strip(person.calls, { x: EDGE, width: RIGHT - EDGE, y: 284, radius: 13, most: 2 }),
    captions(382),
    figures([
      { name: 'Deadline passed', value: person.timeIsUp, x: EDGE, room: 392 },
      { name: 'Against luck', value: person.againstLuck, x: 480, room: RIGHT - 480 },
    ]),
    footOf(site, { left: EDGE, right: RIGHT, y: FOOT }),
  ])
}

/** @param name accessible name of the file */
export function frame(name: string, parts: readonly string[]): string {
  return pictureMarkup(PEOPLE_SIZE, `<title>${escapeMarkup(name)}</title>`, parts)
}

/** Uses the largest font size at which a text fits into the given number of lines; `bottom` is the last baseline. */
export function titleOf(text: string, most: number, sizes: readonly [number, ...number[]]) {
  const room = RIGHT - EDGE
  const size =
    sizes.find((px) => balanced(text, px, room).length <= most) ?? sizes.at(-1) ?? sizes[0]
  const broken = balanced(text, size, room)
  const lines = broken
    .slice(0, most)
    .map((line, i) =>
      fitted(i === most - 1 && broken.length > most ? `${line} …` : line, size, room),
    )
  const top = 36 + size
  const yOf = (i: number): number => top + i * size * 1.16
  return {
    markup: lines
      .map((line, i) => textOf(line, EDGE, yOf(i), { size, weight: 700, colour: THEME.ink }))
      .join(''),
    bottom: yOf(lines.length - 1),
  }
}

const ROW = 58
const STRIP = { x: 410, width: 370 } as const
/** Right edge of the "came true" column. */
const CAME_TRUE = 1_000

function rowsFrom(top: number, people: readonly PicturedPerson[]): string {
  const count = Math.min(people.length, Math.floor((FOOT - 44 - top) / ROW))
  const gap = Math.max(0, (FOOT - 44 - top - count * ROW) / 2)
  return people
    .slice(0, count)
    .map((person, i) => {
      const y = top + gap + (i + 0.5) * ROW
      const words = { size: 28, colour: THEME.ink }
      return [
        textOf(fittedName(nameInPicture(person.name), 28, 330), EDGE, y + 10, {
          ...words,
          weight: 600,
        }),
        strip(person.calls, { ...STRIP, y, radius: 8, most: 1 }),
        ...(person.compared
          ? [
              textOf(person.compared.hits, CAME_TRUE, y + 10, { ...words, weight: 400, end: true }),
              textOf(person.compared.luck, RIGHT, y + 10, { ...words, weight: 400, end: true }),
            ]
          : []),
      ].join('')
    })
    .join('')
}

function strip(
  calls: readonly Call[],
  at: { x: number; width: number; y: number; radius: number; most: number },
): string {
  const { x, width, y, radius, most } = at
  const marks = marksOf(calls, (2 * radius + 4) / width, 4)
  const farthest = Math.max(1, ...marks.map(({ lane }) => Math.abs(lane)))
  const apart = Math.min(2 * radius, (most * 2 * radius) / farthest)
  return [
    `<path d="M${String(x)},${String(y)}h${String(width)}" stroke="${THEME.hairline}" stroke-width="3"/>`,
    ...marks.map(({ call, lane }) => {
      const place = `cx="${(x + radius + (width - 2 * radius) * call.luck).toFixed(1)}" cy="${(y + lane * apart).toFixed(1)}" r="${String(radius)}"`
      return `<circle ${place} ${lookOf(call.outcome)}/>`
    }),
  ].join('')
}

function lookOf(outcome: Outcome): string {
  if (outcome === 'hit') return `fill="${THEME.hit}" stroke="${THEME.hit}" stroke-width="3"`
  const colour = outcome === 'miss' ? THEME.miss : THEME.pending
  const dash = outcome === 'miss' ? '' : ' stroke-dasharray="5 4"'
  return `fill="${THEME.page}" stroke="${colour}" stroke-width="3"${dash}`
}

function captions(y: number, withOpen = true): string {
  return [
    textOf('bold: luck says 0%', EDGE, y, QUIET),
    legend(600, y, withOpen),
    textOf('easy: 100%', RIGHT, y, { ...QUIET, end: true }),
  ].join('')
}

/**
 * Centred legend.
 *
 * @param withOpen whether any call may be open
 */
export function legend(middle: number, y: number, withOpen = true): string {
  const [gap, radius] = [28, 10]
  const items = [
    { outcome: 'hit', text: 'came true' },
    { outcome: 'miss', text: 'missed' },
    ...(withOpen ? [{ outcome: 'pending', text: 'open' } as const] : []),
  ] as const
  const widths = items.map(({ text }) => 2 * radius + 8 + widthOf(text, SMALL))
  let x = middle - (widths.reduce((sum, width) => sum + width, 0) + (items.length - 1) * gap) / 2
  return items
    .map(({ outcome, text }, i) => {
      const from = x
      x += (widths[i] ?? 0) + gap
      return [
        `<circle cx="${String(Math.round(from + radius))}" cy="${String(y - 9)}" r="${String(radius)}" ${lookOf(outcome)}/>`,
        textOf(text, from + 2 * radius + 8, y, QUIET),
      ].join('')
    })
    .join('')
}

function figures(all: readonly { name: string; value: string; x: number; room: number }[]): string {
  const size =
    [48, 44, 40, 36].find((px) => all.every(({ value, room }) => widthOf(value, px) <= room)) ?? 32
  return all
    .map(({ name, value, x, room }) =>
      [
        textOf(name, x, 456, { size: 28, weight: 600, colour: THEME.ink2 }),
        textOf(fitted(value, size, room), x, 510, { size, weight: 700, colour: THEME.ink }),
      ].join(''),
    )
    .join('')
}

const GAP = 40
/** More marks would only hide one another. */
const MOST_MARKS = 400

export type YearFact = {
  readonly name: string
  readonly title: string
  readonly isPerson: boolean
  readonly lines: readonly string[]
}

export function yearPicture(pictured: {
  readonly finding: string
  readonly calls: readonly Call[]
  readonly facts: readonly YearFact[]
  /** Share of replays in which luck does as well; null with too few calls. */
  readonly replayed: number | null
  /** `23/11/2026` */
  readonly asOf: string
  /** Address of the card, without protocol: `proofofprice.org/years/2025` */
  readonly address: string
  readonly siteName: string
}): string {
  const { finding, calls, facts, replayed, asOf, address, siteName } = pictured
  const title = titleOf(finding, 2, [46, 42, 38, 34])
  const width = (RIGHT - EDGE - (facts.length - 1) * GAP) / facts.length
  const source =
    replayed === null
      ? `Every call on record with its source, by intraday prices, as of ${asOf}`
      : `Luck alone does as well in ${asWellText(replayed)}, as of ${asOf}.`
  return frame(finding, [
    title.markup,
    strip(calls.slice(0, MOST_MARKS), {
      x: EDGE,
      width: RIGHT - EDGE,
      y: 214,
      radius: 11,
      most: 2,
    }),
    captions(300, false),
    ...facts.map((fact, i) => factAt(fact, EDGE + i * (width + GAP), width)),
    textOf(fitted(source, SMALL, RIGHT - EDGE), EDGE, 536, QUIET),
    footOf({ siteName, address }, { left: EDGE, right: RIGHT, y: FOOT }),
  ])
}

function factAt({ name, title, isPerson, lines }: YearFact, x: number, room: number): string {
  const text = isPerson ? nameInPicture(title) : title
  const size = [36, 32, 28].find((px) => widthOf(text, px) <= room) ?? SMALL
  return [
    `<path d="M${x.toFixed(1)},336h${room.toFixed(1)}" stroke="${THEME.hairline}" stroke-width="2"/>`,
    textOf(name, x, 374, QUIET),
    textOf((isPerson ? fittedName : fitted)(text, size, room), x, 418, {
      size,
      weight: 700,
      colour: THEME.ink,
    }),
    ...lines
      .slice(0, 2)
      .map((line, i) =>
        textOf(fitted(line, SMALL, room), x, 454 + i * 34, { ...QUIET, colour: THEME.ink }),
      ),
  ].join('')
}
