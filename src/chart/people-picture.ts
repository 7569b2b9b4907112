import { isolatedName } from '#domain/people/name.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import {
  balanced,
  fitted,
  fittedName,
  footOf,
  isDrawable,
  nameInPicture,
  type PictureSite,
  PICTURE_FONT,
  textOf,
  widthOf,
} from './picture-text.ts'
import { PEOPLE_SIZE } from './picture-sizes.ts'
import { SITE_THEMES } from './site-theme.ts'
import { marksOf } from './strip-marks.ts'
import { escapeXml } from './svg.ts'

const THEME = SITE_THEMES.light
const EDGE = 56
const RIGHT = PEOPLE_SIZE.width - EDGE
const FOOT = 592
/** No words are smaller, so that they can be read where the picture is shown a third as large. */
const SMALL = 26

type Call = { readonly luck: number | null; readonly outcome: Outcome }

/** What a picture says of a person. */
export type PicturedPerson = {
  readonly name: string
  readonly calls: readonly Call[]
  /** `3 of 8` */
  readonly timeIsUp: string
  /** `3 of 8 came true, luck expects 2.5` */
  readonly againstLuck: string
}

/** The board: the finding of the day, and those who lead. */
export function boardPicture({
  finding,
  otherwise,
  people,
  asOf,
  site,
}: {
  readonly finding: string
  /** In its place where there is no font for a name in it. */
  readonly otherwise: string
  /** Best first; as many as there is room for are shown. */
  readonly people: readonly PicturedPerson[]
  /** `23/11/2026` */
  readonly asOf: string
  readonly site: PictureSite
}): string {
  const title = titleOf(isDrawable(finding) ? finding : otherwise, 2, [46, 42, 38, 34])
  const top = title.bottom + 56
  const words = { size: SMALL, weight: 400, colour: THEME.ink2 }
  return frame(isDrawable(finding) ? finding : otherwise, [
    title.markup,
    textOf(`As of ${asOf}`, EDGE, top, words),
    ...(people.length === 0
      ? []
      : [
          textOf('bold', STRIP.x, top, words),
          textOf('easy', STRIP.x + STRIP.width, top, { ...words, end: true }),
          textOf('hits', RIGHT, top, { ...words, end: true }),
        ]),
    rowsFrom(top + 8, people),
    footOf(site, { left: EDGE, right: RIGHT, y: FOOT }),
  ])
}

/** One person: the calls by luck, and the two numbers. */
export function personPicture({
  person,
  isRanked,
  asOf,
  site,
}: {
  readonly person: PicturedPerson
  /** Others have too few decided calls to be compared. */
  readonly isRanked: boolean
  readonly asOf: string
  readonly site: PictureSite
}): string {
  const title = titleOf(isolatedName(nameInPicture(person.name)), 1, [64, 56, 48])
  const said = person.calls.length === 1 ? '1 call' : `${String(person.calls.length)} calls`
  const rank = isRanked ? '' : '; too few are decided to say more'
  return frame(person.name, [
    title.markup,
    textOf(`${said} as of ${asOf}${rank}`, EDGE, title.bottom + 50, {
      size: 30,
      weight: 400,
      colour: THEME.ink2,
    }),
    strip(person.calls, { x: EDGE, width: RIGHT - EDGE, y: 284, radius: 13, most: 2 }),
    textOf('bold: luck says 0 %', EDGE, 382, { size: SMALL, weight: 400, colour: THEME.ink2 }),
    legend(600, 382),
    textOf('easy: 100 %', RIGHT, 382, { size: SMALL, weight: 400, colour: THEME.ink2, end: true }),
    figures([
      { name: 'Time is up', value: person.timeIsUp, x: EDGE, room: 392 },
      { name: 'Against luck', value: person.againstLuck, x: 480, room: RIGHT - 480 },
    ]),
    footOf(site, { left: EDGE, right: RIGHT, y: FOOT }),
  ])
}

/** @param name what a screen reader says of it as a file */
export function frame(name: string, parts: readonly string[]): string {
  const { width, height } = PEOPLE_SIZE
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" font-family="${PICTURE_FONT}">`,
    `<title>${escapeXml(name)}</title>`,
    `<rect width="${String(width)}" height="${String(height)}" fill="${THEME.page}"/>`,
    `<rect width="${String(width)}" height="8" fill="${THEME.brand}"/>`,
    ...parts,
    '</svg>',
  ].join('')
}

/** The largest size at which a text fits so many lines; `bottom` is the baseline of the last one. */
export function titleOf(
  text: string,
  most: number,
  sizes: readonly [number, ...number[]],
): { markup: string; bottom: number } {
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
/** Where the strips of the board lie. */
const STRIP = { x: 410, width: 340 } as const

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
        textOf(person.againstLuck, RIGHT, y + 10, { ...words, weight: 400, end: true }),
      ].join('')
    })
    .join('')
}

/** The calls at their luck: filled when they came true, hollow when missed, dashed while open. */
export function strip(
  calls: readonly Call[],
  at: { x: number; width: number; y: number; radius: number; most: number },
): string {
  const { x, width, y, radius, most } = at
  const marks = marksOf(calls, (2 * radius + 4) / width, 4)
  const apart = Math.min(2 * radius, (most * 2 * radius) / Math.max(1, ...marks.map(farness)))
  return [
    `<path d="M${String(x)},${String(y)}h${String(width)}" stroke="${THEME.hairline}" stroke-width="3"/>`,
    ...marks.map(({ call, lane }) => {
      const place = `cx="${(x + radius + (width - 2 * radius) * call.luck).toFixed(1)}" cy="${(y + lane * apart).toFixed(1)}" r="${String(radius)}"`
      return `<circle ${place} ${lookOf(call.outcome)}/>`
    }),
  ].join('')
}

function farness({ lane }: { readonly lane: number }): number {
  return Math.abs(lane)
}

function lookOf(outcome: Outcome): string {
  if (outcome === 'hit') return `fill="${THEME.hit}" stroke="${THEME.hit}" stroke-width="3"`
  const colour = outcome === 'miss' ? THEME.miss : THEME.pending
  const dash = outcome === 'miss' ? '' : ' stroke-dasharray="5 4"'
  return `fill="${THEME.page}" stroke="${colour}" stroke-width="3"${dash}`
}

/** What the marks mean, in the middle of a line. @param withOpen whether any call may be open */
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
        textOf(text, from + 2 * radius + 8, y, { size: SMALL, weight: 400, colour: THEME.ink2 }),
      ].join('')
    })
    .join('')
}

/** Figures beside each other, each below its name, all in the largest size that fits. */
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
