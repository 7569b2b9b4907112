import { addressOfDashboard } from '#web/admin/addresses.ts'
import { useTitle } from '#web/admin/use-title.ts'
import { HomeView } from '#web/features/home/home-view.tsx'

const FAILURE_LINKS = {
  source: '/admin/operations',
  payment: '/admin/payments?kind=odd',
  queue: '/admin/queue',
  notice: '/admin/operations',
} as const

export function HomePage() {
  useTitle('Home')
  return <HomeView addressOf={addressOfDashboard} failureLinks={FAILURE_LINKS} />
}
