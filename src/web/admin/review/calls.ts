import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type z } from 'zod'
import {
  dryRun,
  listInfluencers,
  oneSubmission,
  searchSubmissions,
  type DryRunBody,
  type SubmissionRow,
} from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { type ListView, type StatusTab } from './list-view.ts'

export type SubmissionPage = z.infer<typeof searchSubmissions.reply>
export type Detail = z.infer<typeof oneSubmission.reply>
export type DryRun = z.infer<typeof dryRun.reply>
export type KnownInfluencer = z.infer<typeof listInfluencers.reply>[number]

/** Rows of a page of a list. */
export const PAGE_SIZE = 50
/** Others work on the same list. */
const REFRESH_MS = 20_000

/** One page of a dashboard; it refreshes while it is open. */
export function useSubmissions(asset: AssetKey, view: ListView & { readonly tab: StatusTab }) {
  const { tab, q, sort, dir, after, before } = view
  const client = useQueryClient()
  const query = {
    asset,
    status: tab,
    q,
    sort,
    dir,
    ...(after === null ? {} : { after }),
    ...(before === null ? {} : { before }),
    size: PAGE_SIZE,
    flags: tab === 'pending' ? ('yes' as const) : ('no' as const),
  }
  return useQuery({
    queryKey: ['submissions', query],
    queryFn: async ({ signal }) => {
      const reply = await adminCall(searchSubmissions, { query, signal })
      client.setQueryData(countsKey(asset), reply.counts)
      return reply
    },
    // Another page, or more letters of a search: the old rows are shown until the new ones are here. Another asset or
    // status begins empty, as its rows would be wrong.
    placeholderData: (before, beforeQuery) => {
      const [, asked] = beforeQuery?.queryKey ?? []
      return isSameList(asked, query) ? before : undefined
    },
    refetchInterval: REFRESH_MS,
  })
}

const countsKey = (asset: AssetKey) => ['submission-counts', asset] as const

/** How many there are of each status, as the last list said. @param hasList a list is shown that says so */
export function useSubmissionCounts(
  asset: AssetKey,
  hasList: boolean,
): SubmissionPage['counts'] | null {
  const { data } = useQuery<SubmissionPage['counts']>({
    queryKey: countsKey(asset),
    queryFn: async ({ signal }) => {
      const query = { asset, status: 'pending', size: 1 } as const
      return (await adminCall(searchSubmissions, { query, signal })).counts
    },
    enabled: !hasList,
  })
  return data ?? null
}

function isSameList(asked: unknown, query: { asset: string; status: string }): boolean {
  if (typeof asked !== 'object' || asked === null) return false
  if (!('asset' in asked) || !('status' in asked)) return false
  return asked.asset === query.asset && asked.status === query.status
}

export const submissionQuery = (id: string) =>
  queryOptions({
    queryKey: ['submission', id],
    queryFn: ({ signal }) => adminCall(oneSubmission, { params: { id }, signal }),
  })

export function useSubmission(id: string) {
  return useQuery({ ...submissionQuery(id), refetchInterval: REFRESH_MS })
}

export const dryRunQuery = (id: string, body: z.input<typeof DryRunBody> | null) =>
  queryOptions({
    queryKey: ['dry-run', id, body],
    queryFn: ({ signal }) => adminCall(dryRun, { params: { id }, body: body ?? {}, signal }),
  })

/** What approving would publish with these fields; the previous answer is shown until the new one is here. */
export function useDryRun(id: string, body: z.input<typeof DryRunBody> | null) {
  return useQuery({
    ...dryRunQuery(id, body),
    enabled: body !== null,
    placeholderData: keepPreviousData,
  })
}

export function useInfluencers() {
  return useQuery({
    queryKey: ['influencers'],
    queryFn: ({ signal }) => adminCall(listInfluencers, { signal }),
    staleTime: 60_000,
  })
}

/** Shows what a call said about a submission at once, before it is loaded again. */
export function useShowRow(): (row: SubmissionRow) => void {
  const client = useQueryClient()
  return (row) => {
    client.setQueryData<Detail>(['submission', row.id], (known) =>
      known ? { ...known, submission: row } : undefined,
    )
    // A key may be pressed on it in the list before that is loaded again.
    client.setQueriesData<SubmissionPage>(
      { queryKey: ['submissions'] },
      (page) =>
        page && {
          ...page,
          rows: page.rows.map((one) => (one.id === row.id ? { ...one, ...row } : one)),
        },
    )
  }
}

/** Takes what was decided off the lists of what waits at once, so that no key is pressed on it again. */
export function useHideDecided(): (ids: readonly string[]) => void {
  const client = useQueryClient()
  return (ids) =>
    void client.setQueriesData<SubmissionPage>(
      {
        queryKey: ['submissions'],
        predicate: ({ queryKey: [, asked] }) =>
          typeof asked === 'object' &&
          asked !== null &&
          'status' in asked &&
          asked.status === 'pending',
      },
      (page) => page && { ...page, rows: page.rows.filter(({ id }) => !ids.includes(id)) },
    )
}

/** Loads everything again that a decision or an edit may have changed. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    // What was fetched ahead is of before: it is not to be approved as it was.
    for (const key of ['submission', 'dry-run']) {
      client.removeQueries({ queryKey: [key], type: 'inactive' })
    }
    await Promise.all(
      ['submissions', 'submission', 'dry-run', 'review-home', 'review-here', 'influencers'].map(
        (key) => client.invalidateQueries({ queryKey: [key] }),
      ),
    )
  }
}
