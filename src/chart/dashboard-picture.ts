import { type Asset } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { PICTURE_FONT } from './picture-text.ts'
import { type Points } from './series.ts'
import { SITE_THEMES } from './site-theme.ts'
import { OPENING_VIEW } from './view-state.ts'
import { viewPicture } from './view-picture.ts'

/** What the picture of a dashboard shows. */
export type DashboardQuestion = {
  readonly asset: Asset
  readonly points: Points
  readonly drawn: readonly Prediction[]
  readonly today: Day
  /** Drawn as of a past day, which `today` is. */
  readonly isPast: boolean
  /** CSS pixels at which the letters of the picture are 11 px high. */
  readonly size: { readonly width: number; readonly height: number }
}

/** The chart of a dashboard as it opens, as SVG markup: for readers whose browser runs no scripts. */
export function dashboardPicture(question: DashboardQuestion): string {
  return viewPicture(
    { ...question, targets: [], view: OPENING_VIEW, ranged: () => [] },
    { theme: SITE_THEMES.light, font: PICTURE_FONT },
  )
}
