import { type PersonScoreRow, type ScoresReply } from '#contracts/scores.ts'
import { boardPicture, personPicture, type PicturedPerson } from '#chart/people-picture.ts'
import { addressText } from '#chart/picture-text.ts'
import { readDay, showDay } from '#domain/day.ts'
import { againstLuckText, timeIsUpText } from '#domain/scoring/figure-text.ts'
import { SITE_NAME } from '#domain/site-name.ts'
import { failure } from '#server/kit/failure.ts'
import { drawingTag, SOON_SECONDS, type Drawing } from './drawn-pictures.ts'

/** A new number has every picture drawn again. */
const DESIGN = 3
/** More than have room on the board. */
const MOST_ON_BOARD = 8

/** The newest scores; null while they are computed for the first time. */
type Scores = () => ScoresReply | null

export type PeoplePictures = ReturnType<typeof peoplePictures>

/** Draws the board of people and single people for previews of links, as of the newest scores. */
export function peoplePictures({
  scores,
  config: { origin },
}: {
  scores: Scores
  config: { readonly origin: string }
}) {
  function board(): Drawing {
    const reply = newest()
    return {
      etag: drawingTag([DESIGN, reply.inputs.digest]),
      svg: () =>
        boardPicture({
          finding: reply.finding,
          otherwise: reply.totals[0]?.sentence ?? '',
          people: reply.people
            .filter(({ ranked }) => ranked)
            .slice(0, MOST_ON_BOARD)
            .map(pictured),
          asOf: dayOf(reply),
          site: { siteName: SITE_NAME, address: addressText(origin, '/experts') },
        }),
    }
  }

  function person(slug: string): Drawing {
    const reply = newest()
    const found = reply.people.find((one) => one.slug === slug)
    if (!found) throw failure('not_found', 'There is no expert at this address.')
    return {
      etag: drawingTag([DESIGN, reply.inputs.digest, slug]),
      svg: () =>
        personPicture({
          person: pictured(found),
          isRanked: found.ranked,
          asOf: dayOf(reply),
          site: {
            siteName: SITE_NAME,
            address: addressText(origin, `/experts/${encodeURIComponent(slug)}`),
          },
        }),
    }
  }

  /** @throws AppError while there are none */
  function newest(): ScoresReply {
    const reply = scores()
    if (reply) return reply
    throw failure(
      'unavailable',
      'The scores are being computed. Please try again in a moment.',
      null,
      SOON_SECONDS,
    )
  }

  return {
    /** @throws AppError while there are no scores */
    board,
    /** @throws AppError for somebody unknown, and while there are no scores */
    person,
  }
}

function pictured(row: PersonScoreRow): PicturedPerson {
  const { name, calls, time_is_up: up, against_luck: luck } = row
  return {
    name,
    calls: calls.map(({ luck: chance, outcome }) => ({ luck: chance?.market ?? null, outcome })),
    timeIsUp: timeIsUpText(up),
    againstLuck: againstLuckText(luck),
  }
}

function dayOf({ as_of }: ScoresReply): string {
  const day = readDay(as_of)
  return day === null ? as_of : showDay(day)
}
