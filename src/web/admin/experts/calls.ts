import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  likelyDuplicates,
  listExpertsAdmin,
  oneExpertAdmin,
  type AdminExpert,
} from '#contracts/people.ts'
import { adminCall } from '#web/api/admin-call.ts'

export function useExperts(q: string, page: number) {
  return useQuery({
    queryKey: ['experts-admin', { q, page }],
    queryFn: ({ signal }) => adminCall(listExpertsAdmin, { query: { q, page }, signal }),
    placeholderData: keepPreviousData,
  })
}

export function useExpert(id: number) {
  return useQuery({
    queryKey: ['expert-admin', id],
    queryFn: ({ signal }) => adminCall(oneExpertAdmin, { params: { id }, signal }),
  })
}

export function useDuplicates() {
  return useQuery({
    queryKey: ['expert-duplicates'],
    queryFn: ({ signal }) => adminCall(likelyDuplicates, { signal }),
    staleTime: 60_000,
  })
}

/** Loads everything again that a change of people touches. */
export function useRefresh(): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of ['experts-admin', 'expert-admin', 'expert-duplicates', 'published']) {
      void client.invalidateQueries({ queryKey: [key] })
    }
  }
}

/** `3 predictions` */
export function countText({ predictions }: Pick<AdminExpert, 'predictions'>): string {
  return `${String(predictions)} ${predictions === 1 ? 'prediction' : 'predictions'}`
}
