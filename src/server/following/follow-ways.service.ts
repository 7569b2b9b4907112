import { type FollowedSubject, type followWays } from '#contracts/following.ts'
import { ASSETS, findAsset } from '#domain/asset.ts'
import { npubsOf } from '#server/people/people.rows.ts'
import { type z } from 'zod'
import { type FollowKit } from './follow-kit.ts'
import { subjectOf, type KnownSubject } from './followed-subject.ts'

/** The ways of following a thing. @throws AppError `not_found` */
export async function waysOf(
  kit: FollowKit,
  given: FollowedSubject,
): Promise<z.input<typeof followWays.reply>> {
  const known = await subjectOf(kit, given)
  const { kind, subject, title } = known
  return {
    title,
    mail: kit.mailer !== null,
    push: kit.pushes.publicKey,
    feeds: await feedsOf(kit, known),
    npub: kit.npub,
    person_npub: kind === 'person' ? ((await npubsOf(kit.db, Number(subject)))[0] ?? null) : null,
  }
}

/** A prediction has no feed of its own: its asset and its person have. */
async function feedsOf(
  { record }: FollowKit,
  { kind, subject, title, path }: KnownSubject,
): Promise<{ name: string; path: string }[]> {
  if (kind !== 'prediction') return [{ name: title, path: `${path}/feed.xml` }]
  const found = await record.find(subject)
  if (!found || found.withdrawn) return []
  const asset = findAsset(found.asset) ?? ASSETS.btc
  return [
    { name: found.expert.name, path: `/experts/${encodeURIComponent(found.expert.slug)}/feed.xml` },
    { name: asset.name, path: `${asset.route}/feed.xml` },
  ]
}
