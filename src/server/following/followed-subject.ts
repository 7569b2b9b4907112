import { type FollowedSubject } from '#contracts/following.ts'
import { ASSETS, findAsset, type Asset } from '#domain/asset.ts'
import { expertPath, predictionPath } from '#domain/site.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { failure } from '#server/kit/failure.ts'
import { type SiteKit } from '#server/kit/kit.ts'
import { type Tokens } from '#server/kit/tokens.ts'
import { npubsOf } from '#server/people/people.rows.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type MailAddresses } from '#server/submissions/mail-addresses.service.ts'
import { type Mailer } from '#server/submissions/mail.ts'
import { peopleBy, type Followed } from './followers.store.ts'
import { cleanHeadline, cleanText } from './news-text.ts'
import { type Pushes } from './push.ts'

export type FollowKit = SiteKit & {
  readonly tokens: Tokens
  readonly addresses: MailAddresses
  readonly record: PublicRecord
  readonly npub: string | null
  readonly pushes: Pushes
  readonly mailer: Mailer | null
}

const NOT_THERE = 'This is not on record, so it cannot be followed.'

export type KnownSubject = Followed & { readonly title: string; readonly path: string }

/** @throws AppError `not_found` */
export async function subjectOf(
  { record }: Pick<FollowKit, 'record'>,
  { kind, subject }: FollowedSubject,
): Promise<KnownSubject> {
  if (kind === 'asset') {
    const asset = findAsset(subject)
    if (!asset) throw failure('not_found', NOT_THERE)
    return assetSubject(asset)
  }
  if (kind === 'person') {
    const [expert] = await record.people({ experts: [subject] })
    if (!expert) throw failure('not_found', NOT_THERE)
    return personSubject(String(expert.id), expert)
  }
  const prediction = await record.find(subject)
  if (!prediction) throw failure('not_found', NOT_THERE)
  return predictionSubject(prediction)
}

function assetSubject({ key, name, route }: Asset): KnownSubject {
  return { kind: 'asset', subject: key, title: name, path: route }
}

function predictionSubject(one: JudgedPrediction): KnownSubject {
  const path = predictionPath(one.id)
  return { kind: 'prediction', subject: one.id, title: cleanHeadline(one), path }
}

function personSubject(
  subject: string,
  { name, slug }: { name: string; slug: string },
): KnownSubject {
  const path = expertPath(slug)
  return { kind: 'person', subject, title: cleanText(name), path }
}

/** Followed subjects for display, without duplicates and without those no longer on record. */
export async function visibleSubjects(
  kit: Pick<FollowKit, 'db' | 'record'>,
  all: readonly Followed[],
): Promise<KnownSubject[]> {
  const subjectsOf = (type: Followed['kind']): string[] =>
    all.flatMap(({ kind, subject }) => (kind === type ? [subject] : []))
  const people = await peopleBy(kit.db, subjectsOf('person').map(Number))
  const found = await kit.record.byIds(subjectsOf('prediction'))
  const predictions = new Map(found.map((one) => [one.id, predictionSubject(one)]))
  const visible = all.flatMap(({ kind, subject }): KnownSubject | readonly KnownSubject[] => {
    const asset = kind === 'asset' ? findAsset(subject) : null
    if (asset) return assetSubject(asset)
    const person = kind === 'person' ? people.get(subject) : undefined
    if (person) return personSubject(subject, person)
    return (kind === 'prediction' && predictions.get(subject)) || []
  })
  // Merged people appear once.
  return [...new Map(visible.map((one) => [one.path, one])).values()]
}

/** Ways to follow a subject. @throws AppError `not_found` */
export async function waysOf(kit: FollowKit, followed: FollowedSubject) {
  const known = await subjectOf(kit, followed)
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

/** A prediction has the feeds of its asset and its person. */
async function feedsOf({ record }: FollowKit, { kind, subject, title, path }: KnownSubject) {
  if (kind !== 'prediction') return [{ name: title, path: `${path}/feed.xml` }]
  const found = await record.find(subject)
  if (!found || found.withdrawn) return []
  const asset = findAsset(found.asset) ?? ASSETS.btc
  return [
    { name: found.expert.name, path: `${expertPath(found.expert.slug)}/feed.xml` },
    { name: asset.name, path: `${asset.route}/feed.xml` },
  ]
}
