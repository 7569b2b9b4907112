import { randomUUID } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { AltText, picturePath, type SocialPicture } from '#contracts/publishing.ts'
import {
  MOST_ALT_TEXT,
  IMAGE_FAULTS,
  IMAGE_TYPES,
  MOST_IMAGE_BYTES,
  tooLargeFault,
} from '#domain/publishing/social-post.ts'
import { socialPictures } from '#server/database/schema/publishing.ts'
import { type Db } from '#server/kit/db.ts'
import { AppError, failure, invalid } from '#server/kit/failure.ts'
import { messageOf } from '#server/kit/text.ts'
import { isoIn, isoNow } from '#server/kit/time.ts'
import { workerCalls, workerFile, type WorkerWork } from '#server/kit/worker-calls.ts'
import { type Picture, type ReadPicture, type PictureReader } from '#server/publishing/ports.ts'
import { type PictureKit } from '#server/publishing/publishing-kit.ts'

/** Unused pictures are deleted after this. */
const UNUSED_FOR_MS = 7 * 86_400_000

/**
 * Stores an uploaded or drawn picture.
 * @param field its name in the form
 * @throws AppError `invalid` with the picture's fault
 */
export async function takePicture(
  kit: PictureKit,
  file: Uint8Array,
  { alt = '', field = 'images' }: { alt?: string; field?: string } = {},
): Promise<z.input<typeof SocialPicture>> {
  const picture = await readable(kit, file)
  if ('fault' in picture) throw invalid({ [field]: picture.fault })
  if (!AltText.safeParse(alt).success) {
    const message = `The alternative text is longer than ${String(MOST_ALT_TEXT)} characters, or damaged. Please write it again.`
    throw invalid({ alt: message })
  }
  const id = randomUUID()
  const { bytes, type, width, height } = picture
  const createdAt = isoNow(kit)
  await kit.db.insert(socialPictures).values({ id, bytes, type, width, height, createdAt })
  return { id, alt, type, width, height, url: picturePath(id) }
}

/** The chart of a published prediction, as a picture for a post. */
export async function chartPicture(kit: PictureKit, predictionId: string) {
  const { bytes, alt } = await kit.drawChart(predictionId)
  return takePicture(kit, bytes, { alt: alt.slice(0, MOST_ALT_TEXT) })
}

async function pictureBytes(db: Db, id: string) {
  const [found] = await db.select().from(socialPictures).where(eq(socialPictures.id, id))
  return found ?? null
}

/** @throws AppError `not_found` */
export async function storedPicture({ db }: Pick<PictureKit, 'db'>, id: string) {
  const found = await pictureBytes(db, id)
  if (!found) throw failure('not_found', 'There is no such picture.')
  return found
}

export async function picturesKnown(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map()
  const { id, type, width, height, createdAt } = socialPictures
  const rows = await db
    .select({ id, type, width, height, createdAt })
    .from(socialPictures)
    .where(inArray(id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Pictures of a post to be sent. @throws Error if one is missing */
export async function postPictures(
  db: Db,
  post: { readonly pictures: readonly { readonly id: string; readonly alt: string }[] },
): Promise<Picture[]> {
  const pictures: Picture[] = []
  for (const { id, alt } of post.pictures) {
    const row = await pictureBytes(db, id)
    if (!row) throw new Error(`picture ${id} is missing`)
    const { bytes, type, width, height } = row
    pictures.push({ bytes, type, width, height, alt })
  }
  return pictures
}

/** Deletes older pictures that no post or draft uses. */
export async function dropUnused(kit: PictureKit): Promise<void> {
  await kit.db.execute(sql`
    delete from social_pictures p
    where p.created_at < ${isoIn(kit, -UNUSED_FOR_MS)}::timestamptz and not exists (
      select from social_posts s
      where s.pictures @> jsonb_build_array(jsonb_build_object('id', p.id))
    )`)
}

/** A crash while reading a picture is not necessarily its fault. */
async function readable(
  { readPicture, log }: PictureKit,
  file: Uint8Array,
): ReturnType<ReadPicture> {
  try {
    return await readPicture(file)
  } catch (error) {
    if (error instanceof AppError) throw error
    log.error({ bytes: file.length }, messageOf(error))
    throw failure(
      'unavailable',
      'The picture could not be read. Please try again; if that fails too, save it with another program or make it smaller.',
    )
  }
}

/** At 5 MB each, this limits the queue to 50 MB. */
const MOST_WAITING = 10
const READ_WITHIN_MS = 20_000
/** Pictures of a post arrive in quick succession; then the memory is freed. */
const IDLE_MS = 5_000

const Read = z.union([
  z.object({ fault: z.string() }),
  z.object({
    bytes: z.instanceof(Uint8Array).refine(({ length }) => length <= MOST_IMAGE_BYTES),
    type: z.enum(IMAGE_TYPES),
    width: z.int().positive(),
    height: z.int().positive(),
  }),
])

/** Reads and writes uploaded pictures with sharp, in a process that runs on demand. */
export function sharpReader(
  options: Partial<Omit<WorkerWork<unknown>, 'schema'>> = {},
): PictureReader {
  const worker = workerCalls({
    file: workerFile('sharp-worker', import.meta.url),
    mostWaiting: MOST_WAITING,
    withinMs: READ_WITHIN_MS,
    idleMs: IDLE_MS,
    ...options,
    schema: Read,
  })
  async function ask(file: Uint8Array, mostBytes: number | null): ReturnType<ReadPicture> {
    const answer = await worker.ask({ file, mostBytes })
    if (answer.ok) return answer.answer
    switch (answer.why) {
      case 'late':
        return { fault: IMAGE_FAULTS.slow }
      case 'busy':
        throw failure(
          'unavailable',
          'Many pictures are being read right now. Please try again in a few seconds.',
          null,
          5,
        )
      case 'failed':
        throw new Error(`A picture could not be read: ${answer.message}`)
    }
  }
  return {
    async read(file) {
      if (file.length === 0) return { fault: IMAGE_FAULTS.empty }
      if (file.length > MOST_IMAGE_BYTES) return { fault: tooLargeFault() }
      return ask(file, null)
    },
    shrink: ask,
    close: worker.close,
  }
}
