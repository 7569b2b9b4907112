import { useEffect, useState } from 'react'
import { type CorrectionsPage, type CorrectionsView } from '#contracts/corrections-log.ts'
import { fetchPage } from '#web/api/page-data.ts'
import { correctionsAddress } from './corrections-address.ts'

/** The corrections of a view: those that came with the page, else fetched; those before stay meanwhile. */
export function useCorrections(given: CorrectionsPage, view: CorrectionsView) {
  const address = correctionsAddress(view)
  const [fetched, setFetched] = useState<{ of: CorrectionsPage; log: CorrectionsPage } | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const shown = fetched?.of === given ? fetched.log : given
  const isThere = correctionsAddress(shown.view) === address
  const isWanted = !isThere && failed !== address

  useEffect(() => {
    if (!isWanted) return
    const leave = new AbortController()
    fetchPage(address, leave.signal).then(
      ({ data }) => {
        if (data.page === 'corrections') setFetched({ of: given, log: data.log })
      },
      () => {
        if (!leave.signal.aborted) setFailed(address)
      },
    )
    return () => leave.abort()
  }, [address, isWanted, given])

  return {
    log: shown,
    state: isThere ? 'there' : failed === address ? 'failed' : 'loading',
    retry: () => setFailed(null),
  } as const
}
