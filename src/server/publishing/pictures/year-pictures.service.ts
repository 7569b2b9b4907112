import {
  yearPath,
  type ConsensusRow,
  type YearCallRow,
  type YearCardReply,
} from '#contracts/year.ts'
import { addressText } from '#chart/picture-text.ts'
import { shortUsd } from '#chart/usd.ts'
import { yearPicture, type YearFact } from '#chart/year-picture.ts'
import { type AssetKey } from '#domain/asset.ts'
import { readDay, showDay } from '#domain/day.ts'
import { asWellText } from '#domain/scoring/figure-text.ts'
import { showChance } from '#domain/scoring/odds-text.ts'
import { consensusWay, errorText, saidBy, cameTrue } from '#domain/scoring/year-text.ts'
import { SITE_NAME } from '#domain/site-name.ts'
import { failure } from '#server/kit/failure.ts'
import { drawingTag, SOON_SECONDS, type Drawing } from './drawn-pictures.ts'

/** A new number has every picture drawn again. */
const DESIGN = 1

/** The card of a year as of the newest scores; null while they are computed for the first time. */
type Card = (asset: AssetKey, year: number) => Promise<YearCardReply | null>

export type YearPictures = ReturnType<typeof yearPictures>

/** Draws cards of the year for previews of links and for sharing. */
export function yearPictures({
  card,
  origin,
}: {
  card: Card
  /** The address of the site, without a slash at the end. */
  origin: string
}) {
  return {
    /** @throws AppError where no call of that year is decided, and while there are no scores */
    async of(asset: AssetKey, year: number): Promise<Drawing> {
      const shown = await card(asset, year)
      if (!shown) {
        throw failure(
          'unavailable',
          'The scores are being computed. Please try again in a moment.',
          null,
          SOON_SECONDS,
        )
      }
      if (shown.tally.n === 0) {
        throw failure(
          'not_found',
          'There is no picture of this year: none of its calls is decided.',
        )
      }
      const address = addressText(origin, yearPath(asset, year))
      return { etag: drawingTag([DESIGN, shown, address]), svg: () => pictureOf(shown, address) }
    },
  }
}

function pictureOf(card: YearCardReply, address: string): string {
  const { finding, calls, boldest, widest, consensus } = card
  return yearPicture({
    finding,
    calls,
    facts: [
      boldest
        ? callFact('Boldest hit', boldest, `luck said ${showChance(boldest.luck ?? 0)}`)
        : emptyFact('Boldest hit', 'No call came true'),
      widest
        ? callFact('Widest miss', widest, errorText(widest.error))
        : emptyFact('Widest miss', 'No call missed'),
      consensus ? consensusFact(consensus) : emptyFact('Loudest consensus', 'No level in common'),
    ],
    source: sourceOf(card),
    address,
    siteName: SITE_NAME,
  })
}

function sourceOf({ replayed, as_of }: YearCardReply): string {
  const day = readDay(as_of)
  const when = `as of ${day === null ? as_of : showDay(day)}`
  return replayed === null
    ? `Every call on record with its source, by intraday prices, ${when}`
    : `${asWellText(replayed)} On record ${when}`
}

function callFact(name: string, { name: title, text }: YearCallRow, line: string): YearFact {
  return { name, title, isPerson: true, lines: [text, line] }
}

function consensusFact(consensus: ConsensusRow): YearFact {
  const { direction, low, high } = consensus
  const level = low === high ? shortUsd(low) : `${shortUsd(low)} – ${shortUsd(high)}`
  return {
    name: 'Loudest consensus',
    title: `${consensusWay(direction)} ${level}`,
    isPerson: false,
    lines: [saidBy(consensus), cameTrue(consensus)],
  }
}

function emptyFact(name: string, title: string): YearFact {
  return { name, title, isPerson: false, lines: [] }
}
