import { luckText } from '#domain/scoring/odds-text.ts'
import { ASSETS } from '#domain/asset.ts'
import { showDay, type Day } from '#domain/day.ts'
import { punchLine } from '#domain/scoring/score-text.ts'
import {
  expertName,
  headline,
  madeText,
  statementText,
  type Prediction,
  splitNote,
} from '#domain/claim/prediction.ts'
import { shortVerdictSentence, verdictSentence } from '#domain/judging/verdict-text.ts'
import { type Outcome, outcomeWord } from '#domain/judging/verdict.ts'
import { outcomeColour, SITE_THEMES, type SiteTheme } from './theme.ts'
import { SHARE_SIZE } from './view-picture.ts'
import { predictionPicture, type PictureQuestion } from './prediction-picture.ts'
import {
  balanced,
  fitted,
  fittedName,
  footOf,
  linesOf,
  nameInPicture,
  PICTURE_FONT,
  textOf,
  widthOf,
  type PictureSite,
} from './picture-text.ts'
import { outcomeSign } from './svg.ts'

const THEME = SITE_THEMES.light
const EDGE = 56
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
export function sharePicture(
  question: Omit<PictureQuestion, 'size' | 'mode'>,
  site: PictureSite,
): string {
  const { prediction, today } = question
  const { outcome } = prediction.verdicts.touch
  const { width, height } = SHARE_SIZE
  const panel = width - 2 * EDGE
  const inside = { width: panel - 4, height: PANEL.height - 24 }
  const spare = Math.max(0, ASSETS[prediction.asset].axis.phoneRightMargin - RIGHT)
  const chart = predictionPicture(
    {
      ...question,
      mode: 'touch',
      size: { width: inside.width / ZOOM + spare, height: inside.height / ZOOM + ABOVE },
    },
    { theme: THEME, font: PICTURE_FONT },
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" font-family="${PICTURE_FONT}">`,
    `<rect width="${String(width)}" height="${String(height)}" fill="${THEME.page}"/>`,
    `<rect width="${String(width)}" height="8" fill="${THEME.brand}"/>`,
    headOf(prediction, stampWidth(outcome)),
    stampOf(outcome),
    `<rect x="${String(EDGE)}" y="${String(PANEL.y)}" width="${String(panel)}" height="${String(PANEL.height)}" rx="12" fill="${THEME.surface}" stroke="${THEME.hairline}" stroke-width="1.5"/>`,
    `<svg x="${String(EDGE + 2)}" y="${String(PANEL.y + 12)}" width="${String(inside.width)}" height="${String(inside.height)}" viewBox="0 ${String(ABOVE)} ${String(inside.width / ZOOM)} ${String(inside.height / ZOOM)}">${chart}</svg>`,
    punchOf(prediction, today),
    sentenceOf(prediction, today),
    footOf(site, { left: EDGE, right: SHARE_SIZE.width - EDGE, y: FOOT }),
    '</svg>',
  ].join('')
}

export function sharePictureText(prediction: Prediction): string {
  return `Chart: ${headline(prediction)}. ${verdictSentence(prediction, 'touch')}`
}

/** Name and claim, as large as fits beside the stamp. */
function headOf(prediction: Prediction, beside: number): string {
  const room = SHARE_SIZE.width - 2 * EDGE - beside - 40
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
  const width = stampWidth(outcome)
  const [x, y, height] = [SHARE_SIZE.width - EDGE - width, 52, 68]
  const middle = y + height / 2
  return [
    `<rect x="${String(x)}" y="${String(y)}" width="${String(width)}" height="${String(height)}" rx="10" fill="${tintOf(THEME, outcome)}" stroke="${colour}" stroke-width="3"/>`,
    outcomeSign(outcome, x + 22 + 17, middle, 17, colour, THEME.surface),
    textOf(outcomeWord(outcome), x + 22 + 34 + 14, middle + 12, { size: 34, weight: 700, colour }),
  ].join('')
}

function punchOf(prediction: Prediction, today: Day): string {
  const room = SHARE_SIZE.width - 2 * EDGE
  const punch = punchLine(prediction, 'touch', today)
  const size = PUNCH_SIZES.find((px) => widthOf(punch, px) <= room) ?? 30
  const words = fitted(punch, size, room)
  const left = room - widthOf(words, size) - 40
  const facts = factsOf(prediction).find((text) => widthOf(text, 24) <= left)
  return [
    textOf(words, EDGE, PUNCH, {
      size,
      weight: 700,
      colour: outcomeColour(THEME, prediction.verdicts.touch.outcome),
    }),
    facts === undefined
      ? ''
      : textOf(facts, EDGE + room, PUNCH, {
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
  const size = SENTENCE_SIZES.find((px) => lines.every((line) => sentenceWidth(line, px) <= ROOM))
  return size === undefined ? null : { lines, size }
}

function brokenUp(text: string): Lines {
  const size = SENTENCE_SIZES.at(-1) ?? 24
  return inLines([text]) ?? { lines: balanced(text, size * THINNER, ROOM).slice(0, 2), size }
}

const ROOM = SHARE_SIZE.width - 2 * EDGE
/** Width of this font weight relative to bold. */
const THINNER = 0.94

function sentenceWidth(text: string, size: number): number {
  return widthOf(text, size * THINNER)
}

function tintOf(theme: SiteTheme, outcome: Outcome): string {
  switch (outcome) {
    case 'hit':
      return theme.hitTint
    case 'miss':
      return theme.missTint
    case 'pending':
      return theme.pendingTint
    case 'void':
      return theme.page
  }
}
