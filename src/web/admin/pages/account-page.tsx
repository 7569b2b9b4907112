import { forgetSignedIn } from '#web/admin/hints.ts'
import { useTitle } from '#web/admin/use-title.ts'
import { AccountView } from '#web/admin/account/account-view.tsx'

export function AccountPage() {
  useTitle('Account')
  return <AccountView onSignedOut={forgetSignedIn} />
}
