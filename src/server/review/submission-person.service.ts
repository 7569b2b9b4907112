import { asc, sql } from 'drizzle-orm'
import { type z } from 'zod'
import { type dryRun, type oneSubmission } from '#contracts/review.ts'
import { likenessOf } from '#domain/people/name-likeness.ts'
import { influencers } from '#server/database/schema/predictions.ts'
import { type Db } from '#server/kit/db.ts'
import { invalid } from '#server/kit/failure.ts'
import {
  foldOf,
  peopleNamed,
  person,
  personById,
  type KnownPerson,
} from '#server/people/people.rows.ts'
import { type StoredSubmission } from '#server/submissions/submissions.rows.ts'

type Suggestion = z.infer<typeof oneSubmission.reply>['suggestions'][number]

/** A person as named by a submission, with the choice of an administrator: an expert on record, or a new one. */
export type Named = Pick<
  StoredSubmission,
  'expertName' | 'twitterHandle' | 'existingInfluencerId' | 'newInfluencer'
>

/** An id, a new person, or the person matching the names; null uses the choice stored with the submission. */
export type Chosen = number | 'new' | 'named' | null

export async function suggestionsFor(db: Db, named: Named): Promise<Suggestion[]> {
  const { expertName, twitterHandle, existingInfluencerId } = named
  const chosen = existingInfluencerId === null ? null : await personById(db, existingInfluencerId)
  const found = await knownBy(db, named)
  const byName = new Set(found.filter(({ kind }) => kind === 'name').map(({ id }) => id))
  const known: Suggestion[] = [
    ...found
      .filter((one) => one.kind === 'handle')
      .map((one) => ({
        ...suggestion(one, 'handle', `Known by the handle ${twitterHandle ?? ''}.`),
        is_sure: byName.has(one.id) || likenessOf(expertName, one.name) !== null,
      })),
    ...found
      .filter((one) => one.kind === 'name')
      .map((one) =>
        one.main
          ? suggestion(one, 'name', 'Known by this name.')
          : suggestion(one, 'alias', `Also known as ${expertName}.`),
      ),
  ]
  if (known.length < MOST_OFFERED) known.push(...(await similarTo(db, expertName)))
  // The administrator's choice comes first, with the stronger reason if there is one.
  const noted = chosen && suggestion(chosen, 'chosen', 'Noted with this submission.')
  const first = known.find((one) => one.id === noted?.id) ?? noted
  const all = first ? [{ ...first, is_sure: true }, ...known] : known
  return all.filter((one, i) => all.findIndex((other) => other.id === one.id) === i)
}

const MOST_OFFERED = 3

/** People with similar names: suggested, but never chosen automatically. */
async function similarTo(db: Db, name: string): Promise<Suggestion[]> {
  const alike = (await peopleWithNames(db)).flatMap((one) => {
    const found = [one.name, ...one.aliases].map((known) => ({
      known,
      how: likenessOf(name, known),
    }))
    const best = found.find(({ how }) => how !== null)
    return best ? [{ id: one.id, sentence: `Similar name: ${best.known}, ${best.how ?? ''}.` }] : []
  })
  const people = await Promise.all(
    alike.slice(0, MOST_OFFERED).map(async ({ id, sentence }) => {
      const person = await personById(db, id)
      return person && { ...suggestion(person, 'similar', sentence), is_sure: false }
    }),
  )
  return people.filter((one) => one !== null)
}

// Drizzle omits the table name in single-table queries, so inside a subquery the columns would refer to the outer table.
export function peopleWithNames(db: Db) {
  return db
    .select({
      id: influencers.id,
      name: influencers.name,
      handle: person.handle,
      aliases: sql<
        string[]
      >`coalesce((select array_agg(n.text order by n.kind, n.text) from influencer_names n where n.influencer_id = influencers.id and n.kind <> 'npub' and not n.main), '{}')`,
    })
    .from(influencers)
    .where(sql`${influencers.mergedInto} is null`)
    .orderBy(sql`lower(${influencers.name})`, asc(influencers.id))
}

function knownBy(db: Db, { expertName, twitterHandle }: Named) {
  return peopleNamed(db, [
    ...(twitterHandle === null
      ? []
      : [{ kind: 'handle' as const, folded: foldOf('handle', twitterHandle) }]),
    { kind: 'name', folded: foldOf('name', expertName) },
  ])
}

function suggestion(person: KnownPerson, why: Suggestion['why'], sentence: string): Suggestion {
  const { id, name, predictions } = person
  return { id, name, predictions, why, sentence, is_sure: true }
}

/** The expert of the prediction; `id` is null for a new influencer. */
export type Owner = {
  readonly id: number | null
  readonly name: string
  /** Whether the submission's name or handle matches the influencer; a handle given with a matching name is recorded. */
  readonly isNamed: boolean
  readonly sentence: string
  /** Another influencer who already has the submission's handle and keeps it; handle or name may be wrong. */
  readonly holder: string | null
}

export const UNKNOWN_INFLUENCER = 'This influencer is not on record. Please choose from the list.'

/** A handle alone identifies no one. @throws AppError `invalid` when the chosen id does not exist */
export async function ownerFor(db: Db, named: Named, chosen: Chosen): Promise<Owner> {
  const known = await suggestionsFor(db, named)
  const holderBeside = (id: number | null): string | null =>
    known.find((one) => one.why === 'handle' && one.id !== id)?.name ?? null
  if (typeof chosen === 'number') {
    const person = await personById(db, chosen)
    if (!person) throw invalid({ influencer_id: UNKNOWN_INFLUENCER })
    const { id, name } = person
    const isNamed = known.some((one) => one.id === id && one.why !== 'chosen')
    return { id, name, isNamed, sentence: `Published under ${name}.`, holder: holderBeside(id) }
  }
  const isNew = chosen === 'new' || (chosen === null && named.newInfluencer)
  const best = isNew ? undefined : known.find(({ is_sure: isSure }) => isSure)
  if (best) {
    const { id, name, why } = best
    const sentence = `Published under ${name}. ${best.sentence}`
    return { id, name, isNamed: why !== 'chosen', sentence, holder: holderBeside(id) }
  }
  const name = named.expertName
  const isKnown = known.some(({ why }) => why === 'name' || why === 'alias')
  const others = isKnown ? ' An influencer of this name is already on record.' : ''
  const sentence = `Creates a new influencer: ${name}.${others}`
  return { id: null, name, isNamed: true, sentence, holder: holderBeside(null) }
}

type Warning = z.infer<typeof dryRun.reply>['warnings'][number]

export async function ownerWarnings(db: Db, named: Named, owner: Owner): Promise<Warning[]> {
  const { expertName, twitterHandle } = named
  const own: Warning[] =
    owner.holder === null
      ? []
      : [
          {
            code: 'other-handle',
            message: `${twitterHandle ?? ''} belongs to ${owner.holder} and will stay there. Whose prediction is this?`,
          },
        ]
  if (owner.id === null) return own
  const known = await knownBy(db, named)
  const warnings = own
  if (!known.some(({ id, kind }) => id === owner.id && kind === 'name')) {
    warnings.push({
      code: 'other-name',
      message: `The submission names ${expertName}, but it will be published under ${owner.name}.`,
    })
  }
  const isTaken = known.some(({ kind }) => kind === 'handle')
  if (owner.isNamed && twitterHandle !== null && !isTaken) {
    const handle = (await personById(db, owner.id))?.handle ?? null
    warnings.push(
      handle === null
        ? {
            code: 'new-handle',
            message: `Approving also records ${twitterHandle} as the handle of ${owner.name}.`,
          }
        : {
            code: 'other-handle',
            message: `${owner.name} is on record as @${handle}. Approving also adds ${twitterHandle}. Is it the same person?`,
          },
    )
  }
  return warnings
}
