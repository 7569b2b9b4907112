import { type FollowedSubject } from '#contracts/following.ts'
import { ASSETS, findAsset } from '#domain/asset.ts'
import { failure } from '#server/kit/failure.ts'
import { type FollowKit } from './follow-kit.ts'
import { cleanHeadline, cleanText } from './news-text.ts'
import { peopleBy, type Followed } from './followers.store.ts'

const NOT_THERE = 'This is not on record, so it cannot be followed.'

/** What can be followed, as it is stored and as it is shown. */
export type KnownSubject = Followed & { readonly title: string; readonly path: string }

/** @throws AppError `not_found` */
export async function subjectOf(
  { record }: Pick<FollowKit, 'record'>,
  { kind, subject }: FollowedSubject,
): Promise<KnownSubject> {
  if (kind === 'asset') {
    const asset = findAsset(subject)
    if (!asset) throw failure('not_found', NOT_THERE)
    return { kind, subject: asset.key, title: asset.name, path: asset.route }
  }
  if (kind === 'person') {
    const [expert] = await record.people({ experts: [subject] })
    if (!expert) throw failure('not_found', NOT_THERE)
    return personSubject(String(expert.id), expert)
  }
  const prediction = await record.find(subject)
  if (!prediction) throw failure('not_found', NOT_THERE)
  return { kind, subject, title: cleanHeadline(prediction), path: predictionPath(subject) }
}

function personSubject(
  subject: string,
  { name, slug }: { name: string; slug: string },
): KnownSubject {
  const path = `/experts/${encodeURIComponent(slug)}`
  return { kind: 'person', subject, title: cleanText(name), path }
}

function predictionPath(id: string): string {
  return `/predictions/${encodeURIComponent(id)}`
}

/** What is stored as followed, as it is shown, each once; what is on record no more is left out. */
export async function shownSubjects(
  kit: Pick<FollowKit, 'db' | 'record'>,
  all: readonly Followed[],
): Promise<KnownSubject[]> {
  const subjectsOf = (wanted: Followed['kind']): string[] =>
    all.flatMap(({ kind, subject }) => (kind === wanted ? [subject] : []))
  const people = await peopleBy(kit.db, subjectsOf('person').map(Number))
  const found = await kit.record.byIds(subjectsOf('prediction'))
  const predictions = new Map(found.map((one) => [one.id, one]))
  const shown = all.flatMap(({ kind, subject }): KnownSubject[] => {
    if (kind === 'asset') {
      const asset = findAsset(subject)
      return asset ? [{ kind, subject, title: ASSETS[asset.key].name, path: asset.route }] : []
    }
    if (kind === 'person') {
      const person = people.get(subject)
      return person ? [personSubject(subject, person)] : []
    }
    const prediction = predictions.get(subject)
    if (!prediction) return []
    return [{ kind, subject, title: cleanHeadline(prediction), path: predictionPath(subject) }]
  })
  // Two people can have been found to be one.
  return [...new Map(shown.map((one) => [one.path, one])).values()]
}
