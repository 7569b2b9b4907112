import { AltText, picturePath, type SocialPicture } from '#contracts/publishing.ts'
import { MOST_ALT_TEXT } from '#domain/publishing/image-file.ts'
import { AppError, failure } from '#server/kit/failure.ts'
import { messageOf } from '#server/kit/message-of.ts'
import { type Clock, type Log } from '#server/kit/ports.ts'
import { type ReadPicture } from '#server/publishing/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { addPicture, dropUnusedPictures, pictureBytes } from './pictures.store.ts'
import { randomUUID } from 'node:crypto'
import { type z } from 'zod'

/** Pictures that no post names are thrown away after this. */
const UNUSED_FOR_MS = 7 * 86_400_000

/** Draws the chart of a published prediction. @throws AppError where there is none, or it cannot be drawn */
export type DrawChart = (
  predictionId: string,
) => Promise<{ readonly bytes: Uint8Array; readonly alt: string }>

export type SocialPictures = ReturnType<typeof socialPictures>

/** The pictures of posts: taken in, drawn, shown. */
export function socialPictures({
  db,
  clock,
  log,
  read,
  draw,
}: {
  db: Db
  clock: Clock
  log: Pick<Log, 'error'>
  read: ReadPicture
  /** Null where charts cannot be drawn. */
  draw: DrawChart | null
}) {
  /** A crash over a picture is no fault of the site, and perhaps none of the picture. */
  async function readable(file: Uint8Array): ReturnType<ReadPicture> {
    try {
      return await read(file)
    } catch (error) {
      if (error instanceof AppError) throw error
      log.error({ bytes: file.length }, messageOf(error))
      throw failure(
        'unavailable',
        'The picture could not be read. Please try once more; if that fails too, save it with another program or make it smaller.',
      )
    }
  }

  /** @throws AppError `invalid` with what is wrong with the picture */
  async function take(
    file: Uint8Array,
    alt = '',
    field = 'images',
  ): Promise<z.input<typeof SocialPicture>> {
    const picture = await readable(file)
    if ('fault' in picture) throw failure('invalid', picture.fault, { [field]: picture.fault })
    if (!AltText.safeParse(alt).success) {
      const message = `The alternative text is longer than ${String(MOST_ALT_TEXT)} characters, or damaged. Please write it anew.`
      throw failure('invalid', message, { alt: message })
    }
    const id = randomUUID()
    const { bytes, type, width, height } = picture
    const createdAt = new Date(clock.now()).toISOString()
    await addPicture(db, { id, bytes, type, width, height, createdAt })
    return { id, alt, type, width, height, url: picturePath(id) }
  }

  return {
    take,

    async ofPrediction(predictionId: string): Promise<z.input<typeof SocialPicture>> {
      if (!draw) throw failure('unavailable', 'This site cannot draw pictures of charts.')
      const drawn = await draw(predictionId)
      return take(drawn.bytes, drawn.alt.slice(0, MOST_ALT_TEXT))
    },

    async show(id: string): Promise<{ bytes: Uint8Array; type: string }> {
      const found = await pictureBytes(db, id)
      if (!found) throw failure('not_found', 'There is no such picture.')
      return found
    },

    dropUnused: (): Promise<void> =>
      dropUnusedPictures(db, new Date(clock.now() - UNUSED_FOR_MS).toISOString()),
  }
}
