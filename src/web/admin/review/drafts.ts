import { useState } from 'react'
import { type SubmissionRow } from '#contracts/review.ts'
import { changedIn, type Draft } from './edit-fields.ts'

type Kept = { readonly base: SubmissionRow; readonly draft: Draft }

/** Edits that were left unsaved, by submission: they wait for as long as the page stands. */
const kept = new Map<string, Kept>()

/**
 * An edit of a submission in progress: what was changed, and the state it was begun from. It outlives its screen, so that
 * nothing typed is lost when that is closed or the session ends.
 *
 * @param now the submission as the server last told it
 */
export function useDraft(now: SubmissionRow) {
  const [state, setState] = useState<Kept | null>(() => kept.get(now.id) ?? null)
  const base = state?.base ?? now
  const draft = state?.draft ?? NOTHING
  function keep(next: Kept | null): void {
    if (next) kept.set(now.id, next)
    else kept.delete(now.id)
    setState(next)
  }
  return {
    /** The state the edit was begun from; as it is now, while nothing is changed. */
    base,
    draft,
    isChanged: Object.keys(changedIn(base, draft)).length > 0,
    change: (changed: Draft) => keep({ base, draft: { ...draft, ...changed } }),
    /** Goes on from another state, with these changes or the ones there are. */
    rebase: (next: SubmissionRow, changes: Draft = draft) => {
      const left = changedIn(next, changes)
      keep(Object.keys(left).length === 0 ? null : { base: next, draft: left })
    },
    drop: () => keep(null),
  }
}

const NOTHING: Draft = {}

/** For tests: forgets every edit. */
export function forgetDrafts(): void {
  kept.clear()
}
