import { useState } from 'react'
import { dayOfTime } from '#domain/day.ts'
import { useTitle } from '#web/admin/use-title.ts'
import { Extractor } from '#web/admin/extract/extractor.tsx'
import css from './extract-page.module.css'

/** Reads one post and submits what it predicts. */
export function ExtractPage() {
  const [today] = useState(() => dayOfTime(Date.now()))
  useTitle('Tweet Extraction')
  return (
    <>
      <h1 className={css.title}>Tweet Extraction</h1>
      <Extractor today={today} />
    </>
  )
}
