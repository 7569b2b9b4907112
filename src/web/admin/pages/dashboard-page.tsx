import { lazy } from 'react'
import { useLocation } from 'wouter'
import { ASSETS, assetOfPath } from '#domain/asset.ts'
import { dayOfTime } from '#domain/day.ts'
import { COMPOSER_LIMIT } from '#domain/publishing/post-length.ts'
import { addressOfDashboard } from '#web/admin/addresses.ts'
import { useHints } from '#web/admin/hints.ts'
import { useMay } from '#web/api/role.ts'
import { type DetailLinks } from '#web/admin/review/detail-dialog.tsx'
import { Dashboard, type Tool } from '#web/admin/review/dashboard.tsx'
import { DASHBOARDS } from '#web/admin/review/dashboards.ts'

/** Tabs of the Bitcoin dashboard (administrator-tools.md §2). */
const TOOLS: readonly Tool[] = [
  {
    key: 'posts',
    name: 'X Posts',
    Screen: lazy(async () => {
      const { Publisher } = await import('#web/admin/social/publisher.tsx')
      return {
        default: function PostsTool() {
          const { username } = useHints()
          const { key } = ASSETS.btc
          return <Publisher key={username} owner={username} asset={key} limit={COMPOSER_LIMIT} />
        },
      }
    }),
  },
  {
    key: 'extraction',
    name: 'Tweet Extraction',
    Screen: lazy(async () => {
      const { Extractor } = await import('#web/admin/extract/extractor.tsx')
      const today = dayOfTime(Date.now())
      return { default: () => <Extractor today={today} /> }
    }),
  },
]
const NO_TOOLS: readonly Tool[] = []
const TOOLS_OF_REVIEWERS = TOOLS.filter(({ key }) => key !== 'posts')

const LINKS_OF_REVIEWERS: DetailLinks = { post: null, correction: null }
const LINKS: DetailLinks = {
  post: (row) => `/admin/publish?asset=${row.asset_type}&submission=${row.id}`,
  correction: (predictionId) => `/admin/predictions?open=${encodeURIComponent(predictionId)}`,
}

export function DashboardPage() {
  const [path] = useLocation()
  const asset = assetOfPath(path)
  const others = Object.values(ASSETS)
    .filter(({ key }) => key !== asset.key)
    .map(({ key }) => ({ to: addressOfDashboard(key), name: DASHBOARDS[key].name }))
  const mayPost = useMay('publish')
  const tools = asset.key === ASSETS.btc.key ? (mayPost ? TOOLS : TOOLS_OF_REVIEWERS) : NO_TOOLS
  // If the composer is not a tab, link to it with this asset selected.
  const composer = { to: `/admin/publish?asset=${asset.key}`, name: 'Publish' }
  return (
    <Dashboard
      key={asset.key}
      asset={asset.key}
      others={tools === NO_TOOLS && mayPost ? [composer, ...others] : others}
      tools={tools}
      links={mayPost ? LINKS : LINKS_OF_REVIEWERS}
    />
  )
}
