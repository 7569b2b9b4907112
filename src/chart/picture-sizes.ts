/** The size of a shared picture of a prediction, pixels: 16:9, as networks show it. */
export const SHARE_SIZE = { width: 1_200, height: 675 } as const

/** The size of a picture of people, pixels: as networks show the preview of a link. */
export const PEOPLE_SIZE = { width: 1_200, height: 630 } as const

/** How the picture of a dashboard is laid out: for a phone in the size of its screen, so that its letters can be read. */
export const DASHBOARD_LAYOUTS = ['wide', 'phone'] as const
export type DashboardLayout = (typeof DASHBOARD_LAYOUTS)[number]

/** CSS pixels. */
export function dashboardSize(
  layout: DashboardLayout,
  { phoneChartHeight }: { readonly phoneChartHeight: number },
): { readonly width: number; readonly height: number } {
  return layout === 'wide' ? { width: 960, height: 600 } : { width: 390, height: phoneChartHeight }
}
