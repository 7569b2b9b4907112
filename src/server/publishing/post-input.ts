import { isDeepStrictEqual } from 'node:util'
import { type PostInput } from '#contracts/publishing.ts'
import { holdsSecretKey } from '#domain/publishing/nostr.ts'
import { COMPOSER_LIMIT, textFault } from '#domain/publishing/post-length.ts'
import { fieldOf, NETWORKS_OF_POSTS } from '#domain/publishing/social-post.ts'
import { type Db } from '#server/kit/db.ts'
import { invalid } from '#server/kit/failure.ts'
import { iso, isoIn, isoNow } from '#server/kit/time.ts'
import { submissionById } from '#server/submissions/submissions.rows.ts'
import { predictionOfEvent } from './news.service.ts'
import { picturesKnown } from './pictures/pictures.service.ts'
import { type StoredPost } from './posts.store.ts'
import { type PublishingKit } from './publishing-kit.ts'

/** Ten seconds to undo a post, and one for the request. */
const SOON_MS = 11_000
/** A time that was in the future when the form was sent may have passed on arrival. */
const PAST_MS = 60_000
const MOVING =
  'X accepts an animated GIF only as the sole picture. Please send it alone, or leave it out.'
const STILL = 'Bluesky does not animate GIFs. Please remove it, or post without Bluesky.'
const SECRET =
  'The text contains a secret Nostr key, which must never be published. Nothing was saved.'

export type Action = 'draft' | 'schedule' | 'soon' | 'send'

const CONTENT = ['kind', 'x_text', 'nostr_text', 'bluesky_text', 'submission_id'] as const
export type Content = Pick<
  StoredPost,
  (typeof CONTENT)[number] | 'networks' | 'pictures' | 'prediction_id' | 'scheduled_at' | 'zone'
>

/**
 * Validates posts from administrators.
 * @throws AppError `invalid` by field: references that do not exist, invalid times, and, for posts to be sent, texts
 *   that a network would reject
 */
export async function readInput(
  { db, clock, record }: PublishingKit,
  { event_id: event, ...input }: PostInput,
  action: Action,
): Promise<Content> {
  const { prediction_id: predictionId = null, submission_id: submissionId = null } = input
  const attached = new Set(input.pictures.map(({ id }) => id))
  if ((await picturesKnown(db, [...attached])).size < attached.size) {
    throw invalid({ pictures: 'One of the pictures is no longer stored. Please upload it again.' })
  }
  if (submissionId && !(await submissionById(db, submissionId))) {
    throw invalid({ submission_id: 'There is no such submission.' })
  }
  // A correction may have withdrawn it.
  if (predictionId && !(await record.find(predictionId))) {
    throw invalid({ prediction_id: 'There is no such prediction.' })
  }
  if (event && (await predictionOfEvent(db, event)) !== predictionId) {
    throw invalid({ event_id: 'That prediction has no event of this number.' })
  }
  if (input.zone && !isZone(input.zone)) throw invalid({ zone: 'There is no such time zone.' })
  const values = {
    ...input,
    networks: [...new Set(input.networks)],
    submission_id: submissionId,
    prediction_id: predictionId,
    zone: input.zone ?? null,
    scheduled_at: input.scheduled_at ? iso(input.scheduled_at) : null,
  }
  refuseSecrets(values)
  if (action === 'draft') return values
  await checkContent(db, values)
  if (action === 'send') return { ...values, scheduled_at: isoNow({ clock }) }
  if (action === 'soon') return { ...values, scheduled_at: isoIn({ clock }, SOON_MS) }
  const at = values.scheduled_at
  if (at === null) throw invalid({ scheduled_at: 'Please choose when the post goes out.' })
  if (Date.parse(at) < clock.now() - PAST_MS) {
    const message = 'That time has passed. Please choose a later one, or send the post now.'
    throw invalid({ scheduled_at: message })
  }
  return values
}

/** @throws AppError `invalid` with the reasons why it cannot be sent */
export async function checkContent(db: Db, post: Content): Promise<void> {
  refuseSecrets(post)
  const { networks, pictures } = post
  const fields = Object.fromEntries(
    NETWORKS_OF_POSTS.filter((one) => networks.includes(one)).flatMap((network) => {
      const fault = textFault(network, post[fieldOf(network)], COMPOSER_LIMIT)
      return fault === null ? [] : [[fieldOf(network), fault]]
    }),
  )
  if (Object.keys(fields).length > 0) throw invalid(fields)
  const isFilmAlone = networks.includes('x') && pictures.length > 1
  if (!isFilmAlone && !networks.includes('bluesky')) return
  const ids = pictures.map(({ id }) => id)
  // Still GIFs are stored as PNG.
  if ([...(await picturesKnown(db, ids)).values()].some(({ type }) => type === 'image/gif')) {
    throw invalid({ pictures: isFilmAlone ? MOVING : STILL })
  }
}

/** Alternative texts are published, too. */
function refuseSecrets(post: Content): void {
  const texts = NETWORKS_OF_POSTS.map((one) => post[fieldOf(one)])
  if ([...texts, ...post.pictures.map(({ alt }) => alt)].some(holdsSecretKey)) {
    throw invalid({ text: SECRET })
  }
}

function isZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Whether a stored post has this content and these networks, at any time. */
export function saysTheSame(post: StoredPost, values: Content): boolean {
  const content = (one: Content) => [
    CONTENT.map((field) => one[field]),
    one.networks.toSorted(),
    one.pictures.map(({ id, alt }) => [id, alt]),
  ]
  return isDeepStrictEqual(content(post), content(values))
}
