import { lazy } from 'react'

/** See {@link Deposit}; its code comes once a deposit has to be paid. */
export const ReportDeposit = lazy(async () => ({
  default: (await import('./deposit.tsx')).Deposit,
}))
