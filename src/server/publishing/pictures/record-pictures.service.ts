import { hedgehogPicture } from '#chart/hedgehog.ts'
import {
  boardPicture,
  personPicture,
  type PicturedPerson,
  yearPicture,
  type YearFact,
} from '#chart/people-picture.ts'
import { addressText } from '#chart/picture-text.ts'
import { sharePicture, sharePictureText } from '#chart/prediction-picture.ts'
import { rangeLayer } from '#chart/ranges.ts'
import { shortUsd } from '#chart/scale.ts'
import { makeSeries } from '#chart/series.ts'
import {
  dashboardSize,
  SHARE_SIZE,
  type DashboardLayout,
  dashboardPicture,
} from '#chart/view-picture.ts'
import { OPENING_VIEW } from '#chart/view-state.ts'
import { hedgehogPath } from '#contracts/paths.ts'
import { type ScoresReply } from '#contracts/scores.ts'
import {
  againstLuck,
  yearPath,
  type ConsensusRow,
  type YearCallRow,
  type YearCardReply,
} from '#contracts/year.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { showDay, type Day, readDay } from '#domain/day.ts'
import { OPENING_SELECTION } from '#domain/listing/selection.ts'
import { showCount } from '#domain/price-text.ts'
import { showChance } from '#domain/scoring/odds-text.ts'
import { punchLine, againstLuckText, cameTrueText } from '#domain/scoring/score-text.ts'
import { tallyFinding, tallyOf } from '#domain/scoring/stated-calls.ts'
import { cameTrue, CONSENSUS_WAYS, errorText, peopleAndCalls } from '#domain/scoring/year-card.ts'
import { SITE_NAME } from '#domain/site.ts'
import { type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { spanOf } from '#server/predictions/pages.service.ts'
import { rangedDay } from '#server/predictions/predictions.service.ts'
import { type PublicSite } from '#server/predictions/predictions.service.ts'
import { statedCalls } from '#server/predictions/stated-calls.ts'
import { type Picture } from '#server/publishing/ports.ts'
import { drawnIds } from '#server/record/list-page.ts'
import { barsOn, closesOf } from '#server/record/prices.ts'
import { boardCalls } from '#server/scores/scores-wire.ts'
import * as scoreRows from '#server/scores/scores.rows.ts'
import { drawingTag, type Drawing, type DrawnPictures, SOON_SECONDS } from './drawn-pictures.ts'

/** Raising a number invalidates all pictures of its kind. */
const DESIGN = { prediction: 8, dashboard: 1, hedgehog: 3, people: 4, year: 2 }

type PictureSite = Pick<PublicSite, 'record' | 'scores' | 'config'> & {
  readonly drawn: Pick<DrawnPictures, 'png'>
}

/** Pictures of the record. @throws AppError if there is nothing to show */
export function recordPictures({ record, scores, drawn, config: { origin } }: PictureSite) {
  async function prediction(id: string) {
    const [found, prices] = await Promise.all([record.find(id), record.prices()])
    if (!found || found.withdrawn) {
      throw failure('not_found', 'There is no prediction at this address.')
    }
    const [from, to] = spanOf(found)
    const bars = prices[found.asset].closed.filter((bar) => bar.day >= from && bar.day <= to)
    const points = closesOf(bars)
    const ranged = bars.flatMap((bar) => rangedDay(bar) ?? [])
    const today = record.today()
    // The remaining distance of an open prediction depends on the day.
    const punch = punchLine(found, 'touch', today)
    const site = siteAt(origin, `/predictions/${encodeURIComponent(id)}`)
    return {
      prediction: found,
      name: `prediction ${id}`,
      etag: drawingTag([DESIGN.prediction, found, points, ranged, punch]),
      svg: () =>
        sharePicture(
          { prediction: found, points, ranges: rangeLayer(ranged, [from, to]), today },
          site,
        ),
    }
  }
  return {
    prediction,

    /** For a post of the site, which skips the queue. */
    async forPost(id: string): Promise<Picture> {
      const { prediction: subject, ...drawing } = await prediction(id)
      const bytes = await drawn.png(drawing, false)
      return { ...SHARE_SIZE, bytes, type: 'image/png', alt: sharePictureText(subject) }
    },

    /**
     * A dashboard's initial view, for browsers without scripts.
     * @param day a past day; null, today and later days mean now
     */
    async dashboard(key: AssetKey, layout: DashboardLayout, day: Day | null): Promise<Drawing> {
      const asset = ASSETS[key]
      const now = record.today()
      const asOf = day !== null && day < now ? day : null
      const today = asOf ?? now
      // Taken first: a version must not name a picture of the record before it.
      const etag = drawingTag([DESIGN.dashboard, layout, today, record.version()])
      const bars = barsOn(await record.prices(), key, asOf)
      if (bars.length === 0) {
        throw failure('not_found', 'There is no picture: no price is on record.')
      }
      const { ids } = await drawnIds(record, {
        asset: key,
        selection: OPENING_SELECTION,
        mode: OPENING_VIEW.mode,
        days: null,
        asOf,
      })
      const listed = await record.byIds(ids, asOf)
      const size = dashboardSize(layout, asset)
      const isPast = asOf !== null
      return {
        name: `dashboard ${key} ${layout} ${String(asOf)}`,
        etag,
        svg: () =>
          dashboardPicture({ asset, points: closesOf(bars), drawn: listed, today, isPast, size }),
      }
    },

    /** All calls on an asset over its price. @param year restricts the calls to those made in it; null for all */
    async hedgehog(asset: AssetKey, year: number | null): Promise<Drawing> {
      const found = await scores.read('touch', scoreRows.years)
      const calls = await statedCalls(record, asset, { repeats: found?.repeats })
      const tally = tallyOf(calls, year)
      if (tally.calls === 0) {
        throw failure('not_found', 'There is no picture: no such call is on record.')
      }
      const bars = (await record.prices())[asset].closed
      const last = bars.at(-1)
      const luck = year === null ? againstLuck(found, asset) : null
      const today = record.today()
      const query = year === null ? '' : `?year=${String(year)}`
      const address = addressText(origin, hedgehogPath(asset)) + query
      const upTo = last ? ` up to ${showDay(last.day)}` : ''
      return {
        name: `history ${asset} ${String(year)}`,
        etag: drawingTag([DESIGN.hedgehog, calls, luck, last, year, address, today]),
        svg: () =>
          hedgehogPicture({
            axis: ASSETS[asset].axis,
            series: makeSeries(closesOf(bars), today).series,
            calls,
            today,
            year,
            finding: tallyFinding(asset, tally, luck),
            source: `${String(tally.calls)} calls, each with its source; judged by intraday prices${upTo}`,
            address,
            siteName: SITE_NAME,
          }),
      }
    },
  }
}

/** More than fit on the board. */
const MOST_ON_BOARD = 8

/** Pictures of people and years from the newest scores. @throws AppError without scores */
export function scorePictures({ scores, config: { origin } }: PictureSite) {
  return {
    board: () =>
      newest(scores, async (tx, found): Promise<Drawing> => {
        const { about } = found
        const first = await scoreRows.figuresOfPeople(tx, found, { most: MOST_ON_BOARD })
        const slugs = first.map(({ slug }) => slug)
        const strips = await scoreRows.stripsOf(tx, found, slugs)
        return {
          name: 'board',
          etag: drawingTag([DESIGN.people, found.digest]),
          svg: () =>
            boardPicture({
              // There is no room for the closest person.
              finding: about.finding.replace(/ Closest: .*$/, ''),
              otherwise: about.totals[0]?.sentence ?? '',
              people: first.map((person) => pictured(person, strips.get(person.slug)?.calls ?? [])),
              asOf: dayOf(about),
              selection: about.selection,
              site: siteAt(origin, '/experts'),
            }),
        }
      }),

    /** @throws AppError for an unknown person */
    person: (slug: string) =>
      newest(scores, async (tx, found): Promise<Drawing> => {
        const person = await scoreRows.personOf(tx, found, slug)
        if (!person) throw failure('not_found', 'There is no expert at this address.')
        return {
          name: `person ${slug}`,
          etag: drawingTag([DESIGN.people, found.digest, slug]),
          svg: () =>
            personPicture({
              person: pictured(person, boardCalls(person.calls)),
              isRanked: person.band !== null,
              asOf: dayOf(found.about),
              site: siteAt(origin, `/experts/${encodeURIComponent(slug)}`),
            }),
        }
      }),

    /** @throws AppError if no call of that year is decided */
    async year(asset: AssetKey, year: number): Promise<Drawing> {
      const card = required(await scores.read('touch', scoreRows.yearCard(asset, year)))
      if (card.tally.n === 0) {
        throw failure(
          'not_found',
          'There is no picture of this year: none of its calls is decided.',
        )
      }
      const address = addressText(origin, yearPath(asset, year))
      return {
        name: `year ${asset} ${String(year)}`,
        etag: drawingTag([DESIGN.year, card, address]),
        svg: () => yearOf(card, address),
      }
    },
  }
}

function siteAt(origin: string, path: string) {
  return { siteName: SITE_NAME, address: addressText(origin, path) }
}

async function newest(
  scores: PictureSite['scores'],
  drawing: (tx: Db, found: scoreRows.StoredScores) => Promise<Drawing>,
): Promise<Drawing> {
  return required(await scores.read('touch', drawing))
}

function required<T>(found: T | null): T {
  if (found !== null) return found
  const message = 'The scores are being computed. Please try again in a moment.'
  throw failure('unavailable', message, null, SOON_SECONDS)
}

function pictured(
  { name, time_is_up: up, decided }: scoreRows.PersonFigures,
  calls: PicturedPerson['calls'],
): PicturedPerson {
  return {
    name,
    calls,
    timeIsUp: cameTrueText(up),
    againstLuck: againstLuckText(decided),
    compared:
      decided.calls === 0
        ? null
        : {
            hits: `${showCount(decided.hits)} of ${showCount(decided.calls)}`,
            luck: decided.expected.toFixed(1),
          },
  }
}

function dayOf({ as_of }: Pick<ScoresReply, 'as_of'>): string {
  const day = readDay(as_of)
  return day === null ? as_of : showDay(day)
}

function yearOf(card: YearCardReply, address: string): string {
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
    replayed: card.replayed,
    asOf: dayOf(card),
    address,
    siteName: SITE_NAME,
  })
}

function callFact(name: string, { name: title, text }: YearCallRow, line: string): YearFact {
  return { name, title, isPerson: true, lines: [text, line] }
}

function consensusFact(consensus: ConsensusRow): YearFact {
  const { direction, low, high } = consensus
  const level = low === high ? shortUsd(low) : `${shortUsd(low)} – ${shortUsd(high)}`
  return {
    name: 'Loudest consensus',
    title: `${CONSENSUS_WAYS[direction]} ${level}`,
    isPerson: false,
    lines: [peopleAndCalls(consensus), cameTrue(consensus)],
  }
}

function emptyFact(name: string, title: string): YearFact {
  return { name, title, isPerson: false, lines: [] }
}
