import { useState } from 'react'
import { dayOfTime } from '#domain/day.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { Extractor } from '#web/admin/extract/extractor.tsx'

/** Reads one post and submits what it predicts. */
export function ExtractPage() {
  const [today] = useState(() => dayOfTime(Date.now()))
  return (
    <AdminPage title="Tweet Extraction" width="full">
      <Extractor today={today} />
    </AdminPage>
  )
}
