import { AccountView } from '#web/features/account/account-view.tsx'

export function AccountPage() {
  return <AccountView />
}
