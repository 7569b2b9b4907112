import { type ContentOf } from '#web/head/site.ts'
import { BoardGlance } from '#web/public/experts/board-glance.tsx'
import { Sections } from '#web/public/landing/sections.tsx'

export function LandingParts({
  exhibits,
  board,
}: Pick<ContentOf<'landing'>, 'exhibits' | 'board'>) {
  return <Sections exhibits={exhibits} board={board && <BoardGlance board={board} />} />
}
