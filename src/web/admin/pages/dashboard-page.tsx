import { lazy } from 'react'
import { useLocation } from 'wouter'
import { assetOfPath } from '#domain/asset.ts'
import { useMay } from '#web/admin/hints.ts'
import { Dashboard } from '#web/admin/review/dashboard.tsx'

/** Further tabs of the Bitcoin dashboard (administrator-tools.md §2). */
const TOOLS = [
  {
    key: 'posts',
    name: 'X Posts',
    Screen: lazy(async () => ({
      default: (await import('#web/admin/social/publisher.tsx')).PostsTool,
    })),
  },
  {
    key: 'extraction',
    name: 'Tweet Extraction',
    Screen: lazy(async () => ({
      default: (await import('#web/admin/extract/extractor.tsx')).Extractor,
    })),
  },
]

export function DashboardPage() {
  const [path] = useLocation()
  const { key: asset } = assetOfPath(path)
  const mayPost = useMay('publish')
  const tools = TOOLS.filter(({ key }) => asset === 'btc' && (mayPost || key !== 'posts'))
  return <Dashboard key={asset} asset={asset} tools={tools} />
}
