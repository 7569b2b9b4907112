import { ASSETS } from '#domain/asset.ts'
import {
  type Prediction,
  headline,
  expertName,
  madeText,
  statementText,
  splitNote,
} from '#domain/claim/prediction.ts'
import { showDay, type Day } from '#domain/day.ts'
import { shortVerdictSentence, verdictSentence } from '#domain/judging/verdict-text.ts'
import { outcomeWord, type Outcome } from '#domain/judging/verdict.ts'
import { fanOf } from '#domain/scoring/call-odds.ts'
import { luckText } from '#domain/scoring/odds-text.ts'
import { punchLine } from '#domain/scoring/score-text.ts'
import { makeMarks } from './marks.ts'
import {
  widthOf,
  balanced,
  fitted,
  fittedName,
  footOf,
  linesOf,
  nameInPicture,
  PICTURE_FONT,
  pictureMarkup,
  textOf,
  type PictureSite,
} from './picture-text.ts'
import { type RangeLayer } from './ranges.ts'
import { type ScaleKind, type Span, type Tick } from './scale.ts'
import { makeScene, wordsOf, type AxisEvent, type Scene } from './scene.ts'
import { makeSeries, type Points } from './series.ts'
import { sceneToSvg, outcomeSign } from './svg.ts'
import { type Theme, outcomeColour, THEMES } from './theme.ts'
import { makeThreads } from './threads.ts'
import { SHARE_SIZE } from './view-picture.ts'

/** Font size of labels, CSS pixels. */
const LABEL = 11
/** Price ratio above which the axis is logarithmic, as a linear one would flatten the lower prices. */
const LOG_FROM = 8

export type PictureQuestion = {
  readonly prediction: Prediction
  readonly points: Points
  readonly ranges?: RangeLayer | null
  readonly today: Day
  /** The size in CSS pixels at which texts are 11 px high. */
  readonly size: { readonly width: number; readonly height: number }
  readonly withFan?: boolean
}

/**
 * One prediction over the prices of its time, judged intraday, as static SVG markup.
 *
 * @param look colours and CSS font family
 */
export function predictionPicture(
  { prediction, points, ranges = null, today, size, withFan = false }: PictureQuestion,
  { theme, font }: { readonly theme: Theme; readonly font: string },
): string {
  // The claim as judged, ignoring display settings of the dashboard.
  const plain = { ...prediction, excludeFromChart: false, chartValue: null }
  const { series } = makeSeries(points, today)
  const { marks } = makeMarks([plain], 'touch', today)
  const fan = withFan ? fanOf(prediction, 'touch') : null
  const days = spanOf([
    ...marks.flatMap((mark) => mark.days),
    series.days[0] ?? prediction.made,
    series.days.at(-1) ?? prediction.made,
  ])
  const levels = spanOf([
    ...marks.flatMap((mark) => mark.prices),
    ...series.closes,
    ...(ranges?.extent(days) ?? []),
    ...(fan ?? []).flatMap(({ most }) => most),
  ])
  const scale: ScaleKind = levels[0] > 0 && levels[1] / levels[0] > LOG_FROM ? 'log' : 'linear'
  const laidOut = makeScene({
    axis: ASSETS[prediction.asset].axis,
    ...size,
    dpr: 1,
    days: [days[0], days[1] + (days[1] - days[0]) * 0.04],
    prices: padded(levels, scale),
    scale,
    series,
    ranges,
    // The name is shown beside the picture.
    marks: marks.map((mark) => ({ ...mark, texts: mark.texts.slice(-1) })),
    threads: makeThreads(marks, series),
    median: null,
    live: null,
    pricesChosen: false,
    measure: (text) => widthOf(text, LABEL),
  })
  const bare = { ...laidOut, events: [], priceTicks: apartTicks(laidOut) }
  // Axis text, so that grid lines avoid it.
  const scene = { ...bare, events: [madeDay(prediction, bare)] }
  const svg = sceneToSvg(scene, {
    theme,
    description: `Chart. ${headline(prediction)}. ${outcomeWord(prediction.verdicts.touch.outcome)}.`,
    font,
    under: fan ? fanMarkup(fan, scene, theme) : '',
  })
  const { plot, time } = scene
  const x = String(Math.round(time.toPx(prediction.made)))
  const madeLine = `<path d="M${x},${String(plot.y)}V${String(plot.y + plot.height)}" stroke="${theme.ink2}" stroke-dasharray="2 3"/>`
  return svg.replace(/<\/svg>$/, () => `${madeLine}</svg>`)
}

function apartTicks({ priceTicks, price }: Scene): Scene['priceTicks'] {
  const isRound = ({ at }: Tick): boolean => Number.isInteger(Math.log10(at))
  const byWeight = [...priceTicks.filter(isRound), ...priceTicks.filter((one) => !isRound(one))]
  const spaced: Tick[] = []
  for (const tick of byWeight) {
    const y = price.toPx(tick.at)
    if (spaced.every((one) => Math.abs(price.toPx(one.at) - y) >= LABEL + 3)) spaced.push(tick)
  }
  return priceTicks.filter((tick) => spaced.includes(tick))
}

/** Two bands starting at the price when the call was made; `data-fan` lets a page hide them. */
function fanMarkup(
  fan: NonNullable<ReturnType<typeof fanOf>>,
  { time, price }: Scene,
  theme: Theme,
): string {
  const band = (name: 'half' | 'most', opacity: string): string => {
    const at = (day: Day, usd: number): string =>
      `${time.toPx(day).toFixed(1)},${price.toPx(usd).toFixed(1)}`
    const high = fan.map((one) => at(one.day, one[name][1]))
    const low = fan.map((one) => at(one.day, one[name][0])).toReversed()
    return `<path d="M${[...high, ...low].join('L')}Z" fill="${theme.ink2}" fill-opacity="${opacity}"/>`
  }
  return `<g data-fan="">${band('most', '0.1')}${band('half', '0.14')}</g>`
}

function madeDay({ made, madePrecision }: Prediction, scene: Scene): AxisEvent {
  const x = Math.round(scene.time.toPx(made))
  const text = `made ${showDay(made, madePrecision)}`
  const width = widthOf(text, LABEL)
  const { left, y } = freePlace(scene, x, width)
  return { x, label: { text, x: left, y, width } }
}

type Spot = { readonly left: number; readonly y: number }

function freePlace(scene: Scene, x: number, width: number): Spot {
  const { plot } = scene
  const right = plot.x + plot.width
  const fits = (left: number): boolean => left >= plot.x && left + width < right
  const beside = [x + 6, x - 6 - width]
  const sides = beside.some(fits) ? beside.filter(fits) : beside.slice(1)
  const bottom = plot.y + plot.height - 6
  const heights = [plot.y + 11, bottom]
  for (let y = plot.y + 15; y < bottom; y += 4) heights.push(y)
  const places = heights.flatMap((y) => sides.map((left) => ({ left, y })))
  const costs = places.map((place) => costOf(scene, place, width))
  return places[costs.indexOf(Math.min(...costs))] ?? { left: x + 6, y: plot.y + 11 }
}

function costOf(scene: Scene, { left, y }: Spot, width: number): number {
  const { shapes, radius, line, price, time, priceTicks, timeTicks } = scene
  const across = (from: number, to: number): boolean => from < left + width + 6 && to > left - 6
  const upright = (from: number, to: number): boolean => to > y - LABEL && from < y + 4
  const onMark =
    wordsOf(scene).some(
      (label) => Math.abs(label.y - y) < 14 && across(label.x, label.x + label.width),
    ) ||
    shapes.some(
      ({ x0, x1, y0, y1, signX, signY }) =>
        (across(x0, x1) && upright(y0, y1)) ||
        (across(signX - radius, signX + radius) && upright(signY - radius, signY + radius)),
    )
  let onPrice = false
  for (let i = 0; i + 3 < line.length && !onPrice; i += 2) {
    const [ax, ay, bx, by] = [line[i] ?? 0, line[i + 1] ?? 0, line[i + 2] ?? 0, line[i + 3] ?? 0]
    onPrice = across(ax, bx) && upright(Math.min(ay, by) - 2, Math.max(ay, by) + 2)
  }
  const rows = priceTicks.filter(({ at }) => upright(price.toPx(at) - 1, price.toPx(at) + 1))
  const columns = timeTicks.filter(({ at }) => across(time.toPx(at) + 5, time.toPx(at) - 5))
  return (onMark ? 100 : 0) + (onPrice ? 30 : 0) + 10 * rows.length + columns.length
}

function spanOf(values: readonly number[]): Span {
  return values.length > 0 ? [Math.min(...values), Math.max(...values)] : [0, 1]
}

function padded([least, most]: Span, scale: ScaleKind): Span {
  if (scale === 'log') return [least / 1.3, most * 1.4]
  const room = (most - least) * 0.14 || most * 0.1
  return [Math.max(0, least - room), most + room]
}

const THEME = THEMES.light
const EDGE = 56
const ROOM = SHARE_SIZE.width - 2 * EDGE
const PANEL = { y: 214, height: 256 } as const
/** The chart is laid out smaller and scaled up, so that 11 px text is readable on a phone. */
const ZOOM = 2.2
/** Right margin, CSS pixels; the last price is not shown, so less is needed. */
const RIGHT = 18
/** Reduction of the space above the chart, CSS pixels. */
const ABOVE = 9
/** Baseline of the last line, pixels. */
const FOOT = 647
/** Baseline of the result text, pixels. */
const PUNCH = 521
/** Font sizes of the result text, pixels; the largest that fits is used. */
const PUNCH_SIZES = [46, 42, 38, 34]
/** Font sizes of the sentence below, pixels: the largest that fits on one line, else two lines of the smallest. */
const SENTENCE_SIZES = [28, 26, 24]

/**
 * A picture of one prediction for posts and link previews: speaker, claim, chart and outcome.
 *
 * @param site shown in the footer
 */
export function sharePicture(question: Omit<PictureQuestion, 'size'>, site: PictureSite) {
  const { prediction, today } = question
  const { outcome } = prediction.verdicts.touch
  const inside = { width: ROOM - 4, height: PANEL.height - 24 }
  const spare = Math.max(0, ASSETS[prediction.asset].axis.phoneRightMargin - RIGHT)
  const chart = predictionPicture(
    {
      ...question,
      size: { width: inside.width / ZOOM + spare, height: inside.height / ZOOM + ABOVE },
    },
    { theme: THEME, font: PICTURE_FONT },
  )
  return pictureMarkup(SHARE_SIZE, '', [
    headOf(prediction, stampWidth(outcome)),
    stampOf(outcome),
    `<rect x="${String(EDGE)}" y="${String(PANEL.y)}" width="${String(ROOM)}" height="${String(PANEL.height)}" rx="12" fill="${THEME.surface}" stroke="${THEME.hairline}" stroke-width="1.5"/>`,
    `<svg x="${String(EDGE + 2)}" y="${String(PANEL.y + 12)}" width="${String(inside.width)}" height="${String(inside.height)}" viewBox="0 ${String(ABOVE)} ${String(inside.width / ZOOM)} ${String(inside.height / ZOOM)}">${chart}</svg>`,
    punchOf(prediction, today),
    sentenceOf(prediction, today),
    footOf(site, { left: EDGE, right: EDGE + ROOM, y: FOOT }),
  ])
}

export function sharePictureText(prediction: Prediction): string {
  return `Chart: ${headline(prediction)}. ${verdictSentence(prediction, 'touch')}`
}

/** Name and claim, as large as fits beside the stamp. */
function headOf(prediction: Prediction, beside: number): string {
  const room = ROOM - beside - 40
  const claim = statementText(prediction)
  const { handle } = prediction.expert
  const name = fittedName(nameInPicture(expertName(prediction), handle), 34, room)
  const size = [46, 42, 36, 31].find((px) => linesOf(claim, px, room).length <= 2) ?? 31
  const lines = balanced(claim, size, room).slice(0, 2)
  const top = 134 - (lines.length - 2) * 10
  return [
    textOf(name, EDGE, 76, { size: 34, weight: 600, colour: THEME.ink2 }),
    ...lines.map((line, i) =>
      textOf(line, EDGE, top + i * size * 1.18, { size, weight: 700, colour: THEME.ink }),
    ),
  ].join('')
}

function stampWidth(outcome: Outcome): number {
  return widthOf(outcomeWord(outcome), 34) + 34 + 14 + 40
}

function stampOf(outcome: Outcome): string {
  const colour = outcomeColour(THEME, outcome)
  const tint = outcome === 'void' ? THEME.page : THEME[`${outcome}Tint` as const]
  const width = stampWidth(outcome)
  const [x, y, height] = [SHARE_SIZE.width - EDGE - width, 52, 68]
  const middle = y + height / 2
  return [
    `<rect x="${String(x)}" y="${String(y)}" width="${String(width)}" height="${String(height)}" rx="10" fill="${tint}" stroke="${colour}" stroke-width="3"/>`,
    outcomeSign(outcome, x + 22 + 17, middle, 17, colour, THEME.surface),
    textOf(outcomeWord(outcome), x + 22 + 34 + 14, middle + 12, { size: 34, weight: 700, colour }),
  ].join('')
}

function punchOf(prediction: Prediction, today: Day): string {
  const punch = punchLine(prediction, 'touch', today)
  const size = PUNCH_SIZES.find((px) => widthOf(punch, px) <= ROOM) ?? 30
  const words = fitted(punch, size, ROOM)
  const left = ROOM - widthOf(words, size) - 40
  const facts = factsOf(prediction).find((text) => widthOf(text, 24) <= left)
  return [
    textOf(words, EDGE, PUNCH, {
      size,
      weight: 700,
      colour: outcomeColour(THEME, prediction.verdicts.touch.outcome),
    }),
    facts === undefined
      ? ''
      : textOf(facts, EDGE + ROOM, PUNCH, {
          size: 24,
          weight: 400,
          colour: THEME.ink2,
          end: true,
        }),
  ].join('')
}

function factsOf(prediction: Prediction): string[] {
  const made = madeText(prediction)
  const split = splitNote(prediction)
  const all = [made, `Deadline ${showDay(prediction.by, prediction.byPrecision)}`]
  return split === null
    ? [all.join(' · '), made]
    : [[...all, split].join(' · '), [made, split].join(' · '), split]
}

function sentenceOf(prediction: Prediction, today: Day): string {
  // The margin of the miss is shown above in large type.
  const decided = shortVerdictSentence(prediction, 'touch').replace(
    `, ${punchLine(prediction, 'touch', today)}.`,
    '.',
  )
  const isOpen = prediction.verdicts.touch.outcome === 'pending'
  const luck = isOpen ? null : luckText(prediction, 'touch')?.replace(/\.?$/, '.')
  const { lines, size } = luck
    ? (inLines([`${decided} ${luck}`]) ?? inLines([decided, luck]) ?? brokenUp(decided))
    : brokenUp(decided)
  const middle = (PUNCH + FOOT - 30) / 2
  const top = middle + size * 0.36 - ((lines.length - 1) * size * 1.2) / 2
  return lines
    .map((line, i) =>
      textOf(line, EDGE, top + i * size * 1.2, { size, weight: 600, colour: THEME.ink }),
    )
    .join('')
}

type Lines = { readonly lines: readonly string[]; readonly size: number }

/** Lines at the largest size at which all fit; null if none does. */
function inLines(lines: readonly string[]): Lines | null {
  const size = SENTENCE_SIZES.find((px) =>
    lines.every((line) => widthOf(line, px * THINNER) <= ROOM),
  )
  return size === undefined ? null : { lines, size }
}

function brokenUp(text: string): Lines {
  const size = SENTENCE_SIZES.at(-1) ?? 24
  return inLines([text]) ?? { lines: balanced(text, size * THINNER, ROOM).slice(0, 2), size }
}

/** Width of this font weight relative to bold. */
const THINNER = 0.94
