import { addressOfDashboard } from '#web/admin/addresses.ts'
import { HomeView } from '#web/features/home/home-view.tsx'

export function HomePage() {
  return <HomeView addressOf={addressOfDashboard} failureLinks={{}} />
}
