import { useQuery } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { onePrediction } from '#contracts/predictions.ts'
import { useHints } from '#web/admin/hints.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { Publisher } from '#web/admin/social/publisher.tsx'
import { call } from '#web/api/call.ts'
import { Notice } from '#web/ui/notice.tsx'

/**
 * The composer for all assets; what to post about can be handed over by the address:
 * `?asset=mstr&submission=…&prediction=…`
 */
export function SocialPage() {
  const search = useSearch()
  const { username } = useHints()
  const given = new URLSearchParams(search)
  const predictionId = given.get('prediction')
  const named = ASSET_KEYS.find((key) => key === given.get('asset')) ?? null
  // A prediction knows its asset.
  const { data, isPending } = useQuery({
    queryKey: ['social-asset', predictionId],
    queryFn: ({ signal }) => call(onePrediction, { params: { id: predictionId ?? '' }, signal }),
    enabled: predictionId !== null && named === null,
  })
  const isAsking = predictionId !== null && named === null && isPending
  return (
    <AdminPage>
      {isAsking ? (
        <Notice title="Loading the prediction…" />
      ) : (
        <Publisher
          // Another address hands over something else; another administrator writes something else.
          key={`${username} ${search}`}
          owner={username}
          asset={named ?? data?.prediction.asset_type ?? ASSETS.btc.key}
          submissionId={given.get('submission')}
          predictionId={predictionId}
        />
      )}
    </AdminPage>
  )
}
