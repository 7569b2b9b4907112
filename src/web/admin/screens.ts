import { lazy } from 'react'
import { type Right } from '#contracts/access.ts'
import { ASSETS } from '#domain/asset.ts'
import { addressOfDashboard, PUBLISH } from './addresses.ts'

const PAGES = {
  home: async () => (await import('./home/home-view.tsx')).HomeView,
  dashboard: async () => (await import('./pages/dashboard-page.tsx')).DashboardPage,
  extractor: async () => (await import('./extract/extractor.tsx')).ExtractPage,
  queue: async () => (await import('./pages/queue-page.tsx')).QueuePage,
  publish: async () => (await import('./social/publisher.tsx')).SocialPage,
  reports: async () => (await import('./reports/reports-view.tsx')).ReportsView,
  predictions: async () => (await import('./records/records-view.tsx')).RecordsView,
  experts: async () => (await import('./experts/experts-view.tsx')).ExpertsView,
  goalposts: async () => (await import('./goalposts/goalposts-view.tsx')).GoalpostsView,
  replies: async () => (await import('./replies/replies-view.tsx')).RepliesView,
  payments: async () => (await import('./payments/payments-view.tsx')).PaymentsView,
  operations: async () => (await import('./operations/operations-view.tsx')).OperationsView,
  audit: async () => (await import('./audit/audit-view.tsx')).AuditView,
  accounts: async () => (await import('./account/accounts-view.tsx')).AccountsView,
  account: async () => (await import('./account/account-view.tsx')).AccountView,
}

/**
 * A menu entry with the right that it requires; loaded when first opened.
 *
 * @param options `title` is the heading, if it differs from the name
 */
function screen(
  page: keyof typeof PAGES,
  name: string,
  right: Right,
  { to = `/admin/${page}`, title = name } = {},
) {
  return { to, name, title, right, Page: lazy(async () => ({ default: await PAGES[page]() })) }
}

export const GROUPS = [
  {
    title: 'Review',
    screens: [
      screen('home', 'Home', 'read'),
      ...Object.values(ASSETS).map(({ key, symbol, name }) =>
        screen('dashboard', symbol, 'read', {
          to: addressOfDashboard(key),
          title: `${key === ASSETS.btc.key ? name : symbol} submissions`,
        }),
      ),
    ],
  },
  {
    title: 'Posts',
    screens: [
      screen('extractor', 'Tweet Extraction', 'read'),
      screen('queue', 'Tweet Queue', 'read'),
      screen('publish', 'Publish', 'read-all', { to: PUBLISH }),
    ],
  },
  {
    title: 'Record',
    screens: [
      screen('reports', 'Reports', 'read'),
      screen('predictions', 'Predictions', 'read'),
      screen('experts', 'People', 'read', { title: 'People and firms' }),
      screen('goalposts', 'Goalposts', 'review'),
      screen('replies', 'Replies', 'read-all'),
      screen('payments', 'Payments', 'read-all'),
    ],
  },
  {
    title: 'Site',
    screens: [
      screen('operations', 'Operations', 'read-all'),
      screen('audit', 'Audit log', 'read-all'),
      screen('accounts', 'Accounts', 'accounts'),
      screen('account', 'Account', 'signed-in'),
    ],
  },
]
