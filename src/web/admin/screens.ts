import { type ComponentType } from 'react'
import { type Right } from '#contracts/access.ts'
import { ASSETS } from '#domain/asset.ts'
import { later } from '#web/ui/still.tsx'
import { addressOfDashboard, PUBLISH } from './addresses.ts'

/** A screen in the menu, and the right that it needs. It is loaded when it is first opened. */
type Screen = {
  readonly to: string
  readonly name: string
  readonly right: Right
  readonly Page: ComponentType
}

/** @param page of the component that the module exports */
function screen<Page extends string>(
  to: string,
  name: string,
  right: Right,
  page: Page,
  load: () => Promise<Readonly<Record<NoInfer<Page>, ComponentType>>>,
): Screen {
  return {
    to,
    name,
    right,
    Page: later<object>(async () => (await load())[page]),
  }
}

const dashboard = () => import('./pages/dashboard-page.tsx')
const queue = () => import('./pages/queue-page.tsx')

/** All screens, as the menu groups them. */
export const GROUPS: readonly { readonly title: string; readonly screens: readonly Screen[] }[] = [
  {
    title: 'Review',
    screens: [
      screen('/admin/home', 'Home', 'read', 'HomeView', () => import('./home/home-view.tsx')),
      ...Object.values(ASSETS).map(({ key, symbol }) =>
        screen(addressOfDashboard(key), symbol, 'read', 'DashboardPage', dashboard),
      ),
    ],
  },
  {
    title: 'Posts',
    screens: [
      screen('/admin/extractor', 'Tweet Extraction', 'read', 'ExtractPage', queue),
      screen('/admin/queue', 'Tweet Queue', 'read', 'QueuePage', queue),
      screen(PUBLISH, 'Publish', 'read-all', 'SocialPage', () => import('./pages/social-page.tsx')),
    ],
  },
  {
    title: 'Record',
    screens: [
      screen(
        '/admin/reports',
        'Reports',
        'read',
        'ReportsView',
        () => import('./reports/reports-view.tsx'),
      ),
      screen(
        '/admin/predictions',
        'Predictions',
        'read',
        'RecordsView',
        () => import('./records/records-view.tsx'),
      ),
      screen(
        '/admin/experts',
        'People',
        'read',
        'ExpertsView',
        () => import('./experts/experts-view.tsx'),
      ),
      screen(
        '/admin/goalposts',
        'Goalposts',
        'review',
        'GoalpostsView',
        () => import('./goalposts/goalposts-view.tsx'),
      ),
      screen(
        '/admin/replies',
        'Replies',
        'read-all',
        'RepliesView',
        () => import('./replies/replies-view.tsx'),
      ),
      screen(
        '/admin/payments',
        'Payments',
        'read-all',
        'PaymentsView',
        () => import('./payments/payments-view.tsx'),
      ),
    ],
  },
  {
    title: 'Site',
    screens: [
      screen(
        '/admin/operations',
        'Operations',
        'read-all',
        'OperationsView',
        () => import('./operations/operations-view.tsx'),
      ),
      screen(
        '/admin/audit',
        'Audit log',
        'read-all',
        'AuditView',
        () => import('./audit/audit-view.tsx'),
      ),
      screen(
        '/admin/accounts',
        'Accounts',
        'accounts',
        'AccountsView',
        () => import('./account/accounts-view.tsx'),
      ),
      screen(
        '/admin/account',
        'Account',
        'signed-in',
        'AccountView',
        () => import('./account/account-view.tsx'),
      ),
    ],
  },
]
