import { BoardGlance } from '#web/public/experts/board-glance.tsx'
import { Sections } from '#web/public/landing/sections.tsx'
import { type ContentOf } from '#web/head/site.ts'

/** All of the landing page that never changes once it is drawn. */
export function LandingParts({ metrics, exhibits, board }: Omit<ContentOf<'landing'>, 'page'>) {
  return (
    <Sections
      metrics={metrics}
      exhibits={exhibits}
      board={board && <BoardGlance board={board} />}
    />
  )
}
