import { ASSETS } from '#domain/asset.ts'
import { showDay } from '#domain/day.ts'
import { expertName, headline, madeText, statementText } from '#domain/claim/prediction-text.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import {
  outcomeWord,
  shortVerdictSentence,
  splitNote,
  verdictSentence,
} from '#domain/judging/verdict-text.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { outcomeColour } from './colours.ts'
import { SHARE_SIZE } from './picture-sizes.ts'
import { predictionPicture, type PictureQuestion } from './prediction-picture.ts'
import {
  balanced,
  fittedName,
  linesOf,
  nameInPicture,
  PICTURE_FONT,
  siteMark,
  siteMarkWidth,
  textOf,
  widthOf,
} from './picture-text.ts'
import { SITE_THEMES, type SiteTheme } from './site-theme.ts'
import { outcomeSign } from './svg.ts'

const THEME = SITE_THEMES.light
const EDGE = 56
const PANEL = { y: 228, height: 304 } as const
/** The chart is laid out smaller and drawn larger, so that its 11 px letters can be read on a phone. */
const ZOOM = 2.2
/** A chart leaves space for the last price at its right, which is not shown here: only this much of it is kept, CSS pixels. */
const RIGHT = 18
/** The baseline of the last line, pixels. */
const FOOT = 647
/** Font sizes of the sentence under the chart, pixels: the largest that fits a line is used, else two lines of the smallest. */
const SENTENCE_SIZES = [30, 27, 24]
/** Font sizes of the facts at the foot, pixels: the largest that fits is used. */
const FOOT_SIZES = [27, 25, 23, 21]

/**
 * A picture of one prediction for posts and link previews: who said what, the chart, and the outcome in a sentence.
 *
 * @param siteName written at its foot
 */
export function sharePicture(
  question: Omit<PictureQuestion, 'size' | 'mode'>,
  siteName: string,
): string {
  const { prediction } = question
  const { outcome } = prediction.verdicts.touch
  const { width, height } = SHARE_SIZE
  const panel = width - 2 * EDGE
  const inside = { width: panel - 4, height: PANEL.height - 24 }
  const spare = Math.max(0, ASSETS[prediction.asset].axis.phoneRightMargin - RIGHT)
  const chart = predictionPicture(
    {
      ...question,
      mode: 'touch',
      size: { width: inside.width / ZOOM + spare, height: inside.height / ZOOM },
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
    `<svg x="${String(EDGE + 2)}" y="${String(PANEL.y + 12)}" width="${String(inside.width)}" height="${String(inside.height)}" viewBox="0 0 ${String(inside.width / ZOOM)} ${String(inside.height / ZOOM)}">${chart}</svg>`,
    sentenceOf(prediction),
    footOf(prediction, siteName),
    '</svg>',
  ].join('')
}

/** The alternative text of a shared picture. */
export function sharePictureText(prediction: Prediction): string {
  return `Chart: ${headline(prediction)}. ${verdictSentence(prediction, 'touch')}`
}

/** Name and claim, as large as they fit beside the stamp. */
function headOf(prediction: Prediction, beside: number): string {
  const room = SHARE_SIZE.width - 2 * EDGE - beside - 40
  const claim = statementText(prediction)
  const { handle } = prediction.expert
  const name = fittedName(nameInPicture(expertName(prediction), handle), 34, room)
  const size = [48, 42, 36, 31].find((px) => linesOf(claim, px, room).length <= 2) ?? 31
  const lines = balanced(claim, size, room).slice(0, 2)
  const top = 144 - (lines.length - 2) * 10
  return [
    textOf(name, EDGE, 82, { size: 34, weight: 600, colour: THEME.ink2 }),
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

/** What decided it, under the chart; the stamp says the outcome. */
function sentenceOf(prediction: Prediction): string {
  const text = shortVerdictSentence(prediction, 'touch')
  const room = SHARE_SIZE.width - 2 * EDGE
  // Letters of this weight are a little narrower than bold ones.
  const inLines = (px: number): string[] => balanced(text, px * 0.94, room)
  const size = SENTENCE_SIZES.find((px) => inLines(px).length === 1) ?? 24
  const lines = inLines(size).slice(0, 2)
  const middle = (PANEL.y + PANEL.height + FOOT - 30) / 2
  const top = middle + size * 0.36 - ((lines.length - 1) * size * 1.2) / 2
  return lines
    .map((line, i) =>
      textOf(line, EDGE, top + i * size * 1.2, { size, weight: 600, colour: THEME.ink }),
    )
    .join('')
}

function footOf(prediction: Prediction, siteName: string): string {
  const { by, byPrecision } = prediction
  const facts = [
    madeText(prediction),
    `Deadline ${showDay(by, byPrecision)}`,
    splitNote(prediction),
  ]
  const text = facts.filter((one) => one !== null).join(' · ')
  const y = FOOT
  const right = SHARE_SIZE.width - EDGE
  const room = right - (EDGE + siteMarkWidth(siteName) + 24)
  const size = FOOT_SIZES.find((px) => widthOf(text, px) <= room) ?? FOOT_SIZES.at(-1) ?? 21
  return [
    siteMark(siteName, EDGE, y),
    textOf(text, right, y, { size, weight: 400, colour: THEME.ink2, end: true }),
  ].join('')
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
