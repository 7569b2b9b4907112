import { type Right } from '#contracts/access.ts'
import { ASSETS } from '#domain/asset.ts'
import { addressOfDashboard } from './addresses.ts'

/** A screen, and the right that it needs. */
type Place = { readonly to: string; readonly name: string; readonly right: Right }

/** Where one can go. */
export const GROUPS: readonly { readonly title: string; readonly places: readonly Place[] }[] = [
  {
    title: 'Review',
    places: [
      { to: '/admin/home', name: 'Home', right: 'read' },
      ...Object.values(ASSETS).map((asset) => ({
        to: addressOfDashboard(asset.key),
        name: asset.symbol,
        right: 'read' as const,
      })),
    ],
  },
  {
    title: 'Posts',
    places: [
      { to: '/admin/extractor', name: 'Tweet Extraction', right: 'read' },
      { to: '/admin/queue', name: 'Tweet Queue', right: 'read' },
      { to: '/admin/publish', name: 'Publish', right: 'read-all' },
    ],
  },
  {
    title: 'Record',
    places: [
      { to: '/admin/predictions', name: 'Predictions', right: 'read' },
      { to: '/admin/experts', name: 'People', right: 'read' },
      { to: '/admin/payments', name: 'Payments', right: 'read-all' },
    ],
  },
  {
    title: 'Site',
    places: [
      { to: '/admin/operations', name: 'Operations', right: 'read-all' },
      { to: '/admin/audit', name: 'Audit log', right: 'read-all' },
      { to: '/admin/account', name: 'Account', right: 'signed-in' },
    ],
  },
]

/** What a screen needs; one that is not listed needs an administrator. */
export function rightOf(address: string): Right {
  const places = GROUPS.flatMap((group) => group.places)
  return places.find(({ to }) => to === address)?.right ?? 'read-all'
}
