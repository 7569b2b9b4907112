import { type PostInput } from '#contracts/publishing.ts'
import { holdsSecretKey } from '#domain/publishing/nostr-key.ts'
import { COMPOSER_LIMIT, textFault } from '#domain/publishing/post-length.ts'
import {
  NETWORKS_OF_POSTS,
  textColumns,
  textsOfColumns,
  textsOfFields,
} from '#domain/publishing/social-post.ts'
import { failure, type AppError } from '#server/kit/failure.ts'
import { iso } from '#server/kit/iso.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { type Db } from '#server/kit/db.ts'
import { type PostValues, type StoredPost } from './posts.store.ts'
import { predictionOfEvent } from './proposals.store.ts'
import { picturesKnown } from './pictures/pictures.store.ts'
import { submissionById } from '#server/submissions/submissions.rows.ts'
import { type PublishingKit } from './publishing-kit.ts'

/** The ten seconds in which a post can be taken back, and one for the call that does. */
const SOON_MS = 11_000
/** A time that lay ahead when the form was sent may be over when it arrives. */
const PAST_MS = 60_000
const MOVING =
  'X takes a moving GIF only by itself. Please send it alone, or leave out one of the pictures.'
const STILL =
  'On Bluesky a moving GIF would stand still. Please leave it out, or post without Bluesky.'
const SECRET =
  'The text contains a secret Nostr key, which must never be published. Nothing was saved.'

type TextColumns = ReturnType<typeof textColumns<string>>

/** What an administrator decides of a post. */
export type PostContent = TextColumns &
  Pick<StoredPost, 'networks' | 'submissionId'> &
  Pick<PostValues, 'kind' | 'pictures' | 'predictionId' | 'zone' | 'scheduledAt'>

/**
 * Reads what administrators send.
 *
 * @throws AppError `invalid` naming the fields: things that do not exist, times that are not valid, and, for what is to go
 *   out, texts that a network would refuse
 */
export async function readInput(
  { db, clock, record }: PublishingKit,
  input: PostInput,
  action: 'draft' | 'schedule' | 'soon' | 'send',
): Promise<PostContent> {
  const wanted = new Set(input.pictures.map((one) => one.id))
  if ((await picturesKnown(db, [...wanted])).size < wanted.size) {
    throw fieldFault('pictures', 'One of the pictures is no longer here. Please upload it again.')
  }
  if (input.submission_id && !(await submissionById(db, input.submission_id))) {
    throw fieldFault('submission_id', 'There is no such submission.')
  }
  const { prediction_id: predictionId, event_id: event } = input
  // A correction may have withdrawn it.
  if (predictionId && !(await record.find(predictionId))) {
    throw fieldFault('prediction_id', 'There is no such prediction.')
  }
  if (event && (await predictionOfEvent(db, event)) !== predictionId) {
    throw fieldFault('event_id', 'Nothing of this number happened to that prediction.')
  }
  if (input.zone && !isZone(input.zone)) throw fieldFault('zone', 'There is no such time zone.')
  const texts = textsOfFields(input)
  const values = {
    kind: input.kind,
    networks: [...new Set(input.networks)],
    ...textColumns((one) => texts[one]),
    pictures: input.pictures,
    submissionId: input.submission_id ?? null,
    predictionId: input.prediction_id ?? null,
    zone: input.zone ?? null,
    scheduledAt: input.scheduled_at ? iso(input.scheduled_at) : null,
  }
  refuseSecrets(values)
  if (action === 'draft') return values
  checkTexts(values)
  await checkPictures(db, values)
  if (action === 'send') return { ...values, scheduledAt: isoNow({ clock }) }
  if (action === 'soon') return { ...values, scheduledAt: isoIn({ clock }, SOON_MS) }
  const at = values.scheduledAt
  if (at === null) throw fieldFault('scheduled_at', 'Please choose when the post goes out.')
  if (Date.parse(at) < clock.now() - PAST_MS) {
    const message = 'That time has passed. Please choose a later one, or send the post now.'
    throw fieldFault('scheduled_at', message)
  }
  return values
}

/** @throws AppError `invalid` naming what keeps it from going out */
export function checkTexts(post: TextColumns & Pick<StoredPost, 'networks' | 'pictures'>): void {
  const fields: Record<string, string> = {}
  refuseSecrets(post)
  const texts = textsOfColumns(post)
  for (const network of NETWORKS_OF_POSTS) {
    const fault = post.networks.includes(network)
      ? textFault(network, texts[network], COMPOSER_LIMIT)
      : null
    if (fault !== null) fields[`${network}_text`] = fault
  }
  const [first] = Object.values(fields)
  if (first !== undefined) throw failure('invalid', first, fields)
}

/** @throws AppError `invalid` for a moving picture beside others, which X would refuse, or on Bluesky, where it would stand still */
export async function checkPictures(
  db: Db,
  { networks, pictures }: Pick<StoredPost, 'networks' | 'pictures'>,
): Promise<void> {
  const isFilmAlone = networks.includes('x') && pictures.length > 1
  if (!isFilmAlone && !networks.includes('bluesky')) return
  const known = await picturesKnown(
    db,
    pictures.map((one) => one.id),
  )
  // GIFs that do not move are stored as PNG.
  if ([...known.values()].some(({ type }) => type === 'image/gif')) {
    throw fieldFault('pictures', isFilmAlone ? MOVING : STILL)
  }
}

/** Alternative texts are published, too. */
function refuseSecrets(post: TextColumns & Pick<StoredPost, 'pictures'>): void {
  const alts = post.pictures.map(({ alt }) => alt)
  if ([...Object.values(textsOfColumns(post)), ...alts].some(holdsSecretKey)) {
    throw fieldFault('text', SECRET)
  }
}

function fieldFault(field: string, message: string): AppError {
  return failure('invalid', message, { [field]: message })
}

function isZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
