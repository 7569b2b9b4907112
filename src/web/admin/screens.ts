import { lazy, type ComponentType } from 'react'
import { type Right } from '#contracts/access.ts'
import { ASSETS } from '#domain/asset.ts'
import { addressOfDashboard, PUBLISH } from './addresses.ts'

/** A screen in the menu, and the right that it needs. It is loaded when it is first opened. */
type Screen = {
  readonly to: string
  readonly name: string
  readonly right: Right
  readonly Page: ComponentType
}

/** @param name of the component that the module exports */
function loaded<Name extends string>(
  load: () => Promise<Readonly<Record<NoInfer<Name>, ComponentType>>>,
  name: Name,
): ComponentType {
  return lazy<ComponentType>(async () => ({ default: (await load())[name] }))
}

const DashboardPage = loaded(() => import('./pages/dashboard-page.tsx'), 'DashboardPage')

/** Open even to those who have to set up a second factor first. */
export const ACCOUNT: Screen = {
  to: '/admin/account',
  name: 'Account',
  right: 'signed-in',
  Page: loaded(() => import('./account/account-view.tsx'), 'AccountView'),
}

/** All screens, as the menu groups them. */
export const GROUPS: readonly { readonly title: string; readonly screens: readonly Screen[] }[] = [
  {
    title: 'Review',
    screens: [
      {
        to: '/admin/home',
        name: 'Home',
        right: 'read',
        Page: loaded(() => import('./home/home-view.tsx'), 'HomeView'),
      },
      ...Object.values(ASSETS).map(({ key, symbol }) => ({
        to: addressOfDashboard(key),
        name: symbol,
        right: 'read' as const,
        Page: DashboardPage,
      })),
    ],
  },
  {
    title: 'Posts',
    screens: [
      {
        to: '/admin/extractor',
        name: 'Tweet Extraction',
        right: 'read',
        Page: loaded(() => import('./pages/extract-page.tsx'), 'ExtractPage'),
      },
      {
        to: '/admin/queue',
        name: 'Tweet Queue',
        right: 'read',
        Page: loaded(() => import('./pages/queue-page.tsx'), 'QueuePage'),
      },
      {
        to: PUBLISH,
        name: 'Publish',
        right: 'read-all',
        Page: loaded(() => import('./pages/social-page.tsx'), 'SocialPage'),
      },
    ],
  },
  {
    title: 'Record',
    screens: [
      {
        to: '/admin/reports',
        name: 'Reports',
        right: 'read',
        Page: loaded(() => import('./reports/reports-view.tsx'), 'ReportsView'),
      },
      {
        to: '/admin/predictions',
        name: 'Predictions',
        right: 'read',
        Page: loaded(() => import('./pages/predictions-page.tsx'), 'PredictionsPage'),
      },
      {
        to: '/admin/experts',
        name: 'People',
        right: 'read',
        Page: loaded(() => import('./pages/experts-page.tsx'), 'ExpertsPage'),
      },
      {
        to: '/admin/goalposts',
        name: 'Goalposts',
        right: 'review',
        Page: loaded(() => import('./goalposts/goalposts-view.tsx'), 'GoalpostsView'),
      },
      {
        to: '/admin/replies',
        name: 'Replies',
        right: 'read-all',
        Page: loaded(() => import('./replies/replies-view.tsx'), 'RepliesView'),
      },
      {
        to: '/admin/payments',
        name: 'Payments',
        right: 'read-all',
        Page: loaded(() => import('./payments/payments-view.tsx'), 'PaymentsView'),
      },
    ],
  },
  {
    title: 'Site',
    screens: [
      {
        to: '/admin/operations',
        name: 'Operations',
        right: 'read-all',
        Page: loaded(() => import('./pages/operations-page.tsx'), 'OperationsPage'),
      },
      {
        to: '/admin/audit',
        name: 'Audit log',
        right: 'read-all',
        Page: loaded(() => import('./audit/audit-view.tsx'), 'AuditView'),
      },
      {
        to: '/admin/accounts',
        name: 'Accounts',
        right: 'accounts',
        Page: loaded(() => import('./account/accounts-view.tsx'), 'AccountsView'),
      },
      ACCOUNT,
    ],
  },
]
