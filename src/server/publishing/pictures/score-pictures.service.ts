import { type ScoredCallRow, type ScoresReply } from '#contracts/scores.ts'
import {
  yearPath,
  type ConsensusRow,
  type YearCallRow,
  type YearCardReply,
} from '#contracts/year.ts'
import {
  boardPicture,
  personPicture,
  type PicturedPerson,
  yearPicture,
  type YearFact,
} from '#chart/people-picture.ts'
import { addressText } from '#chart/picture-text.ts'
import { shortUsd } from '#chart/scale.ts'
import { type AssetKey } from '#domain/asset.ts'
import { readDay, showDay } from '#domain/day.ts'
import { showCount } from '#domain/price-text.ts'
import { againstLuckText, cameTrueText } from '#domain/scoring/score-text.ts'
import { showChance } from '#domain/scoring/odds-text.ts'
import { cameTrue, consensusWay, errorText, saidBy } from '#domain/scoring/year-text.ts'
import { SITE_NAME } from '#domain/site.ts'
import { type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import {
  callsOf,
  figuresOfPeople,
  personOf,
  yearCard,
  type PersonFigures,
  type StoredScores,
} from '#server/scores/scores.rows.ts'
import { type NewestOf } from '#server/scores/scores.service.ts'
import { drawingTag, SOON_SECONDS, type Drawing } from './drawn-pictures.ts'

/** A new number has every picture of its kind drawn again. */
const DESIGN = { people: 4, year: 2 }
/** More than have room on the board. */
const MOST_ON_BOARD = 8

/** Pictures of people and years as of the newest scores. @throws AppError while there are no scores */
export function scorePictures({
  scores,
  config: { origin },
}: {
  scores: Pick<NewestOf, 'read'>
  config: { readonly origin: string }
}) {
  return {
    board: () =>
      newest(scores, async (tx, found): Promise<Drawing> => {
        const { about } = found
        const first = await figuresOfPeople(tx, found, { most: MOST_ON_BOARD })
        const slugs = first.map(({ slug }) => slug)
        const calls = await callsOf(tx, found, slugs)
        return {
          etag: drawingTag([DESIGN.people, found.digest]),
          svg: () =>
            boardPicture({
              // There is no room for who comes closest.
              finding: about.finding.replace(/ Closest: .*$/, ''),
              otherwise: about.totals[0]?.sentence ?? '',
              people: first.map((person) => pictured(person, calls.get(person.slug) ?? [])),
              asOf: dayOf(about),
              selection: about.selection,
              site: { siteName: SITE_NAME, address: addressText(origin, '/experts') },
            }),
        }
      }),

    /** @throws AppError for somebody unknown */
    person: (slug: string) =>
      newest(scores, async (tx, found): Promise<Drawing> => {
        const person = await personOf(tx, found, slug)
        if (!person) throw failure('not_found', 'There is no expert at this address.')
        return {
          etag: drawingTag([DESIGN.people, found.digest, slug]),
          svg: () =>
            personPicture({
              person: pictured(person, person.calls),
              isRanked: person.band !== null,
              asOf: dayOf(found.about),
              site: {
                siteName: SITE_NAME,
                address: addressText(origin, `/experts/${encodeURIComponent(slug)}`),
              },
            }),
        }
      }),

    /** @throws AppError where no call of that year is decided */
    async year(asset: AssetKey, year: number): Promise<Drawing> {
      const card = shown(await scores.read('touch', yearCard(asset, year)))
      if (card.tally.n === 0) {
        throw failure(
          'not_found',
          'There is no picture of this year: none of its calls is decided.',
        )
      }
      const address = addressText(origin, yearPath(asset, year))
      return { etag: drawingTag([DESIGN.year, card, address]), svg: () => yearOf(card, address) }
    },
  }
}

async function newest(
  scores: Pick<NewestOf, 'read'>,
  drawing: (tx: Db, found: StoredScores) => Promise<Drawing>,
): Promise<Drawing> {
  return shown(await scores.read('touch', drawing))
}

function shown<T>(found: T | null): T {
  if (found !== null) return found
  const message = 'The scores are being computed. Please try again in a moment.'
  throw failure('unavailable', message, null, SOON_SECONDS)
}

function pictured(
  { name, time_is_up: up, decided }: PersonFigures,
  calls: readonly ScoredCallRow[],
): PicturedPerson {
  return {
    name,
    calls: calls
      .filter(({ repeats }) => repeats === null)
      .map(({ luck, outcome }) => ({ luck, outcome })),
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
    title: `${consensusWay(direction)} ${level}`,
    isPerson: false,
    lines: [saidBy(consensus), cameTrue(consensus)],
  }
}

function emptyFact(name: string, title: string): YearFact {
  return { name, title, isPerson: false, lines: [] }
}
