import { type Asset } from '#domain/asset.ts'
import { FollowButton } from '#web/public/follow/follow-button.tsx'
import { SubmitCard } from '#web/public/submit/submit-card.tsx'

/** At the head of the list of an asset: following it, and adding to it. */
export function AssetInvites({
  asset,
  onSubmit,
}: {
  readonly asset: Asset
  readonly onSubmit: () => void
}) {
  return (
    <>
      <FollowButton kind="asset" subject={asset.key} />
      <SubmitCard asset={asset} onOpen={onSubmit} />
    </>
  )
}
