import { headline } from '#domain/claim/prediction-text.ts'
import { replySubjectPath, type ReplySubject } from '#domain/reply.ts'
import { failure } from '#server/kit/failure.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { influencerBySlug } from '#server/people/people.rows.ts'
import { type RepliesKit } from './replies-kit.ts'

/** What is replied to, and whose reply counts there. */
export type FoundSubject = {
  readonly influencerId: number
  /** Null for the page of the person. */
  readonly predictionId: string | null
  readonly name: string
  /** The page that shows the reply. */
  readonly path: string
}

/** @throws AppError `not_found` */
export async function findSubject(
  { db, record }: Pick<RepliesKit, 'db' | 'record'>,
  subject: ReplySubject,
): Promise<FoundSubject> {
  if (subject.kind === 'person') {
    const person = await influencerBySlug(db, subject.slug)
    if (!person) throw failure('not_found', 'There is no such person.')
    const path = replySubjectPath({ kind: 'person', slug: person.slug })
    return { influencerId: person.id, predictionId: null, name: person.name, path }
  }
  const found = await record.find(subject.id)
  if (!found) throw failure('not_found', 'There is no such prediction.')
  const { id, name } = found.expert
  return { influencerId: id, predictionId: found.id, name, path: replySubjectPath(subject) }
}

/** What a reply is about, in words; null where that is not on record any more. */
export function subjectWords(
  named: readonly JudgedPrediction[],
  { predictionId, name }: { readonly predictionId: string | null; readonly name: string },
): string {
  if (predictionId === null) return `The page of ${name}`
  const found = named.find(({ id }) => id === predictionId)
  return found ? headline(found) : `Prediction ${predictionId}`
}

/**
 * Reads the page that an administrator names.
 *
 * @param given an address of this site, or its path
 */
export function subjectOfAddress(given: string): ReplySubject | null {
  const path = URL.parse(given, 'https://here.invalid')?.pathname ?? ''
  const [, place, name, ...rest] = path.split('/')
  if (name === undefined || name === '' || rest.length > 0) return null
  const key = decoded(name)
  if (key === null) return null
  if (place === 'predictions') return { kind: 'prediction', id: key }
  return place === 'experts' ? { kind: 'person', slug: key } : null
}

function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}
