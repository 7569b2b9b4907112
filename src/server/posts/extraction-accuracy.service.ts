import { type extractionAccuracy } from '#contracts/posts.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type z } from 'zod'
import { allDecisions } from './extractions.store.ts'

type Accuracy = z.input<typeof extractionAccuracy.reply>
type Fate = { field: string; method: string; month: string; isKept: boolean }

/** How many of the drafted fields were left as they were. */
export async function accuracy({ db }: Pick<Kit, 'db'>): Promise<Accuracy> {
  const decisions = await allDecisions(db)
  const fates = decisions.flatMap((one) =>
    Object.entries(one.differences).map(([field, fate]) => ({
      field,
      method: one.method,
      month: one.at.slice(0, 7),
      isKept: fate === 'kept',
    })),
  )
  /** The shares of groups of fates that have the same name. */
  const by = <Name extends object>(name: (fate: Fate) => Name) =>
    [...Map.groupBy(fates, (fate) => Object.values(name(fate)).join(' ')).values()].flatMap(
      (group) => {
        const [first] = group
        return first ? [{ ...name(first), ...shareOf(group) }] : []
      },
    )
  return {
    decisions: decisions.length,
    total: shareOf(fates),
    fields: by(({ field }) => ({ field })),
    methods: by(({ method }) => ({ method })),
    months: by(({ month, method, field }) => ({ month, method, field })),
  }
}

function shareOf(fates: readonly Fate[]): Accuracy['total'] {
  const kept = fates.filter((one) => one.isKept).length
  const decided = fates.length
  return { decided, kept, share: decided === 0 ? 0 : kept / decided }
}
