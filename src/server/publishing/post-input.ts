import { type PostInput } from '#contracts/publishing.ts'
import { holdsSecretKey } from '#domain/publishing/nostr-key.ts'
import { COMPOSER_LIMIT, isBlank, measurePost, postFault } from '#domain/publishing/post-length.ts'
import { failure } from '#server/kit/failure.ts'
import { type Clock } from '#server/kit/ports.ts'
import { type Db } from '#server/kit/db.ts'
import { type PostValues, type StoredPost } from './posts.store.ts'
import { picturesKnown } from './pictures/pictures.store.ts'
import { submissionById } from '#server/submissions/submissions.rows.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'

/** A time that was right when the form was sent may be over when it arrives. */
const PAST_MS = 60_000
const MOVING =
  'X takes a moving GIF only by itself. Please send it alone, or leave out one of the pictures.'
const SECRET = 'The text holds a secret Nostr key, which must never be published. Nothing was kept.'

/** What an administrator decides of a post. */
export type PostContent = Pick<StoredPost, 'networks' | 'xText' | 'nostrText' | 'submissionId'> &
  Pick<PostValues, 'kind' | 'pictures' | 'predictionId' | 'zone' | 'scheduledAt'>

/**
 * Reads what administrators send.
 *
 * @throws AppError `invalid` naming the fields: things that do not exist, times that are none, and, for what is to go out,
 *   texts that a network would refuse
 */
export function inputReader({
  db,
  clock,
  catalog,
}: {
  db: Db
  clock: Clock
  catalog: Pick<Catalog, 'snapshot'>
}) {
  const isoNow = (): string => new Date(clock.now()).toISOString()
  return async (input: PostInput, action: 'draft' | 'schedule' | 'send'): Promise<PostContent> => {
    const wanted = input.pictures.map((one) => one.id)
    const known = await picturesKnown(db, wanted)
    if (known.size < new Set(wanted).size) {
      const message = 'One of the pictures is not here any more. Please upload it again.'
      throw failure('invalid', message, { pictures: message })
    }
    if (input.submission_id && !(await submissionById(db, input.submission_id))) {
      const message = 'There is no such submission.'
      throw failure('invalid', message, { submission_id: message })
    }
    if (input.prediction_id && !catalog.snapshot()?.byId.has(input.prediction_id)) {
      const message = 'There is no such prediction.'
      throw failure('invalid', message, { prediction_id: message })
    }
    if (input.zone && !isZone(input.zone)) {
      const message = 'This is no time zone.'
      throw failure('invalid', message, { zone: message })
    }
    const values = {
      kind: input.kind,
      networks: [...new Set(input.networks)],
      xText: input.x_text,
      nostrText: input.nostr_text,
      pictures: input.pictures,
      submissionId: input.submission_id ?? null,
      predictionId: input.prediction_id ?? null,
      zone: input.zone ?? null,
      scheduledAt: input.scheduled_at ? new Date(input.scheduled_at).toISOString() : null,
    }
    refuseSecrets(values)
    if (action === 'draft') return values
    checkTexts(values)
    await checkPictures(db, values)
    if (action === 'send') return { ...values, scheduledAt: isoNow() }
    const at = values.scheduledAt
    if (at === null || Date.parse(at) < clock.now() - PAST_MS) {
      const message =
        at === null
          ? 'Please choose when the post goes out.'
          : 'This time is over. Please choose a later one, or send the post now.'
      throw failure('invalid', message, { scheduled_at: message })
    }
    return values
  }
}

/** @throws AppError `invalid` naming what keeps it from going out */
export function checkTexts(
  post: Pick<StoredPost, 'networks' | 'xText' | 'nostrText' | 'pictures'>,
): void {
  const fields: Record<string, string> = {}
  refuseSecrets(post)
  if (post.networks.includes('x')) {
    const fault = postFault(post.xText, COMPOSER_LIMIT)
    if (fault !== null) fields['x_text'] = fault
  }
  if (post.networks.includes('nostr')) {
    const { weight } = measurePost(post.nostrText)
    if (isBlank(post.nostrText)) fields['nostr_text'] = 'Please enter the text of the note'
    else if (weight > COMPOSER_LIMIT) {
      fields['nostr_text'] =
        `The text is too long: ${String(weight)} of ${String(COMPOSER_LIMIT)} characters. Please shorten it.`
    }
  }
  const [first] = Object.values(fields)
  if (first !== undefined) throw failure('invalid', first, fields)
}

/** @throws AppError `invalid` for a moving picture beside others, which X would refuse when all of them are there */
export async function checkPictures(
  db: Db,
  { networks, pictures }: Pick<StoredPost, 'networks' | 'pictures'>,
): Promise<void> {
  if (!networks.includes('x') || pictures.length < 2) return
  const known = await picturesKnown(
    db,
    pictures.map((one) => one.id),
  )
  // Those that do not move are kept as PNG.
  if ([...known.values()].some(({ type }) => type === 'image/gif')) {
    throw failure('invalid', MOVING, { pictures: MOVING })
  }
}

/** Alternative texts are published, too. */
function refuseSecrets({
  xText,
  nostrText,
  pictures,
}: Pick<StoredPost, 'xText' | 'nostrText' | 'pictures'>): void {
  if ([xText, nostrText, ...pictures.map(({ alt }) => alt)].some(holdsSecretKey)) {
    throw failure('invalid', SECRET, { text: SECRET })
  }
}

function isZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
