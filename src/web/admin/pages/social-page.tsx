import { useEffect, useState } from 'react'
import { ASSET_KEYS, ASSETS, type AssetKey } from '#domain/asset.ts'
import { SocialDesk } from '#web/features/social/social-desk.tsx'
import css from './extract-page.module.css'

/** The publishing desk for all assets; what to post about can be handed over by the address. */
export function SocialPage() {
  const [handed] = useState(() => handedOver(window.location.search))
  useEffect(() => {
    document.title = 'Publish – Proof of Price'
  }, [])
  return (
    <>
      <h1 className={css.title}>Publish</h1>
      <SocialDesk {...handed} />
    </>
  )
}

/** `?asset=mstr&submission=…&prediction=…` */
function handedOver(search: string): {
  readonly asset: AssetKey
  readonly submissionId: string | null
  readonly predictionId: string | null
} {
  const given = new URLSearchParams(search)
  return {
    asset: ASSET_KEYS.find((key) => key === given.get('asset')) ?? ASSETS.btc.key,
    submissionId: given.get('submission'),
    predictionId: given.get('prediction'),
  }
}
