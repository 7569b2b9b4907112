import { type ScoredCallRow, type ScoresReply } from '#contracts/scores.ts'
import { boardPicture, personPicture, type PicturedPerson } from '#chart/people-picture.ts'
import { addressText } from '#chart/picture-text.ts'
import { readDay, showDay } from '#domain/day.ts'
import { againstLuckText, cameTrueText } from '#domain/scoring/figure-text.ts'
import { SITE_NAME } from '#domain/site-name.ts'
import { type Db } from '#server/kit/db.ts'
import { failure } from '#server/kit/failure.ts'
import { type NewestOf } from '#server/scores/scores.service.ts'
import {
  callsOf,
  figuresOfPeople,
  personOf,
  type PersonFigures,
  type StoredScores,
} from '#server/scores/scores.rows.ts'
import { drawingTag, SOON_SECONDS, type Drawing } from './drawn-pictures.ts'

/** A new number has every picture drawn again. */
const DESIGN = 3
/** More than have room on the board. */
const MOST_ON_BOARD = 8

export type PeoplePictures = ReturnType<typeof peoplePictures>

/** Draws the board of people and single people for previews of links, as of the newest scores. */
export function peoplePictures({
  scores,
  config: { origin },
}: {
  scores: Pick<NewestOf, 'read'>
  config: { readonly origin: string }
}) {
  return {
    /** @throws AppError while there are no scores */
    board: () =>
      newest(scores, async (tx, found): Promise<Drawing> => {
        const { about } = found
        const first = await figuresOfPeople(tx, found, { most: MOST_ON_BOARD })
        const slugs = first.map(({ slug }) => slug)
        const calls = await callsOf(tx, found, slugs)
        return {
          etag: drawingTag([DESIGN, found.digest]),
          svg: () =>
            boardPicture({
              finding: about.finding,
              otherwise: about.totals[0]?.sentence ?? '',
              people: first.map((person) => pictured(person, calls.get(person.slug) ?? [])),
              asOf: dayOf(about),
              site: { siteName: SITE_NAME, address: addressText(origin, '/experts') },
            }),
        }
      }),

    /** @throws AppError for somebody unknown, and while there are no scores */
    person: (slug: string) =>
      newest(scores, async (tx, found): Promise<Drawing> => {
        const person = await personOf(tx, found, slug)
        if (!person) throw failure('not_found', 'There is no expert at this address.')
        return {
          etag: drawingTag([DESIGN, found.digest, slug]),
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
  }
}

/** @throws AppError while there are no scores */
async function newest(
  scores: Pick<NewestOf, 'read'>,
  drawing: (tx: Db, found: StoredScores) => Promise<Drawing>,
): Promise<Drawing> {
  const made = await scores.read('touch', drawing)
  if (made) return made
  throw failure(
    'unavailable',
    'The scores are being computed. Please try again in a moment.',
    null,
    SOON_SECONDS,
  )
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
  }
}

function dayOf({ as_of }: ScoresReply): string {
  const day = readDay(as_of)
  return day === null ? as_of : showDay(day)
}
