import { addressOfDashboard } from '#web/admin/addresses.ts'
import { useMay } from '#web/api/role.ts'
import { useTitle } from '#web/admin/use-title.ts'
import { HomeView } from '#web/admin/home/home-view.tsx'

const FAILURE_LINKS = {
  source: '/admin/operations',
  payment: '/admin/payments?kind=odd',
  queue: '/admin/queue',
  notice: '/admin/operations',
} as const

/** What of it a reviewer can look into. */
const REVIEWER_LINKS = { queue: FAILURE_LINKS.queue } as const

export function HomePage() {
  useTitle('Home')
  const links = useMay('read-all') ? FAILURE_LINKS : REVIEWER_LINKS
  return <HomeView addressOf={addressOfDashboard} failureLinks={links} />
}
