import { useQuery } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { onePrediction } from '#contracts/predictions.ts'
import { useHints } from '#web/admin/hints.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { Publisher } from '#web/admin/social/publisher.tsx'
import { call } from '#web/api/call.ts'
import { Notice } from '#web/ui/notice.tsx'

/** The composer for all assets. The address may say what to post about: `?asset=mstr&submission=…&prediction=…` */
export function SocialPage() {
  const search = useSearch()
  const { username } = useHints()
  const given = new URLSearchParams(search)
  const predictionId = given.get('prediction')
  const named = ASSET_KEYS.find((key) => key === given.get('asset')) ?? null
  // Without `asset`, ask for the asset of the prediction.
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
          // Remount for another address or administrator.
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
