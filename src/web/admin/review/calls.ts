import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type z } from 'zod'
import { predictionOfRow } from '#contracts/prediction-wire.ts'
import * as calls from '#contracts/review.ts'
import { type SubmissionRow } from '#contracts/review.ts'
import { plural } from '#domain/day.ts'
import { callQuery } from '#web/admin/kit/list.tsx'
import { useDecision } from '#web/admin/kit/use-decision.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { CallError } from '#web/api/call.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import { DASHBOARDS, titleOf } from './dashboards.tsx'

export type SubmissionPage = z.infer<typeof calls.searchSubmissions.reply>
export type Detail = z.infer<typeof calls.oneSubmission.reply>
export type DryRun = ReturnType<typeof drawable>

/** Several administrators work on the list. */
export const REFRESH_MS = 20_000

export const submissionQuery = (id: string) => callQuery(calls.oneSubmission, { params: { id } })

export const dryRunQuery = (id: string, body: z.input<typeof calls.DryRunBody>) =>
  callQuery(calls.dryRun, { params: { id }, body })

/** Dry run of an approval with these fields; the previous result stays until the new one arrives. */
export const useDryRun = (id: string, body: z.input<typeof calls.DryRunBody> | null) =>
  useQuery({
    ...dryRunQuery(id, body ?? {}),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    select: drawable,
  })
const drawable = (run: z.infer<typeof calls.dryRun.reply>) => ({
  ...run,
  prediction: run.prediction && predictionOfRow(run.prediction),
})

/** Optimistic updates of cached lists and details. */
export function useCachedRows() {
  const client = useQueryClient()
  const forgetAhead = (): void => {
    // Prefetched details are outdated and must not be approved.
    for (const { path } of [calls.oneSubmission, calls.dryRun]) {
      client.removeQueries({ queryKey: [path], type: 'inactive' })
    }
  }
  const inLists = (change: (rows: SubmissionRow[], status: unknown) => SubmissionRow[]): void => {
    const queryKey = [calls.searchSubmissions.path]
    for (const [key, page] of client.getQueriesData<SubmissionPage>({ queryKey })) {
      const { status } = (key[2] ?? {}) as { status?: unknown }
      if (page) client.setQueryData(key, { ...page, rows: change(page.rows, status) })
    }
  }
  return {
    /** Lists are updated before they reload, because keys may act on the row meanwhile. */
    replace(row: SubmissionRow): void {
      forgetAhead()
      client.setQueryData<Detail>(
        submissionQuery(row.id).queryKey,
        (known) => known && { ...known, submission: row },
      )
      inLists((rows) => rows.map((one) => (one.id === row.id ? { ...one, ...row } : one)))
    },
    /** Removes decided rows from the pending lists, and no longer offers to decide them in others. */
    decide(ids: readonly string[], status: Decided): void {
      forgetAhead()
      inLists((rows, listed) =>
        listed === 'pending'
          ? rows.filter(({ id }) => !ids.includes(id))
          : rows.map((row) => (ids.includes(row.id) ? { ...row, status } : row)),
      )
    },
  }
}

type Decided = Exclude<SubmissionRow['status'], 'pending'>

/** Each row is published in its own transaction. */
const BULK_PATIENCE_MS = 150_000

export function useDecisions() {
  const decision = useDecision()
  const toasts = useToasts()
  const cached = useCachedRows()

  /** @param name identifies the row, as several messages may be visible at once */
  const withName = <Answer extends { readonly message: string }>(answer: Answer, name: string) => ({
    ...answer,
    message: `${answer.message} (${name})`,
  })
  const undo = async (row: SubmissionRow) =>
    withName(await adminCall(calls.undoDecision, { params: { id: row.id } }), row.expert_name)

  const one = (
    row: SubmissionRow,
    status: Decided,
    send: () => Promise<{ readonly message: string }>,
    onDone: (() => void) | undefined,
  ) =>
    decision.run(async () => withName(await send(), row.expert_name), {
      undo: () => undo(row),
      isShown: true,
      done: () => {
        cached.decide([row.id], status)
        onDone?.()
      },
    })

  type Results = Awaited<ReturnType<typeof adminCall<typeof calls.bulkReject>>>['results']
  /** Splits the rows into calls of the maximum size and names those that failed. */
  async function each(
    rows: readonly SubmissionRow[],
    send: (some: readonly SubmissionRow[]) => Promise<{ readonly results: Results }>,
    words: { readonly done: string; readonly failed: string },
  ) {
    const parts = Array.from({ length: Math.ceil(rows.length / calls.MOST_AT_ONCE) }, (_, i) =>
      rows.slice(i * calls.MOST_AT_ONCE, (i + 1) * calls.MOST_AT_ONCE),
    )
    const answers = await Array.fromAsync(parts, send)
    const results = answers.flatMap((answer) => answer.results)
    const isDone = new Set(results.filter(({ ok }) => ok).map(({ id }) => id))
    const done = rows.filter(({ id }) => isDone.has(id))
    const failed = results.filter(({ ok }) => !ok)
    if (failed.length > 0) {
      const named = failed.map(({ id, error }) => {
        const row = rows.find((one) => one.id === id)
        return `${row ? titleOf(row) : id}: ${error ?? ''}`
      })
      const text = `${words.failed}: ${named.join(' ')}`
      if (done.length === 0) throw new CallError(text, 409)
      toasts.failed(text)
    }
    return { done, message: `${plural(done.length, 'submission')} ${words.done}.` }
  }
  const undoAll = (done: readonly SubmissionRow[]) =>
    each(done, (some) => adminCall(calls.bulkUndo, { body: { ids: some.map(({ id }) => id) } }), {
      done: 'pending again',
      failed: 'Not undone',
    })
  const bodyOf = (some: readonly SubmissionRow[]) => ({
    ids: some.map(({ id }) => id),
    versions: Object.fromEntries(some.map(({ id, version }) => [id, version])),
  })
  const bulk = (
    rows: readonly SubmissionRow[],
    status: Decided,
    send: Parameters<typeof each>[1],
    onDone?: () => void,
  ): Promise<boolean> =>
    decision.run(() => each(rows, send, { done: status, failed: `Not ${status}` }), {
      undo: ({ done }) => undoAll(done),
      isShown: true,
      done: ({ done }) => {
        cached.decide(
          done.map(({ id }) => id),
          status,
        )
        onDone?.()
      },
    })

  return {
    ...decision,
    undo: (row: SubmissionRow) => decision.run(() => undo(row)),

    /** @param onDone called once it is decided, before the lists are loaded again; likewise in the others */
    approve: (row: SubmissionRow, body: z.input<typeof calls.ApproveBody>, onDone?: () => void) =>
      one(
        row,
        'approved',
        () => adminCall(DASHBOARDS[row.asset_type].approveRoute, { params: { id: row.id }, body }),
        onDone,
      ),

    reject: (row: SubmissionRow, reason: string, onDone?: () => void) =>
      one(
        row,
        'rejected',
        () =>
          adminCall(calls.decideSubmission, {
            params: { id: row.id },
            body: { status: 'rejected', admin_comment: reason, version: row.version },
          }),
        onDone,
      ),

    /** Rows that need a closer look stay pending and are named. */
    approveAll: (rows: readonly SubmissionRow[]) =>
      bulk(rows, 'approved', (some) =>
        adminCall(calls.bulkApprove, { body: bodyOf(some), patienceMs: BULK_PATIENCE_MS }),
      ),

    rejectAll: (rows: readonly SubmissionRow[], reason: string, onDone: () => void) =>
      bulk(
        rows,
        'rejected',
        (some) => adminCall(calls.bulkReject, { body: { ...bodyOf(some), reason } }),
        onDone,
      ),
  }
}

export type Decisions = ReturnType<typeof useDecisions>
