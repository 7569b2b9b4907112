import css from '#web/ui/admin-page.module.css'
import { createContext, use, useEffect, type ReactNode } from 'react'
import { Row, Stack, Text } from '#web/ui/primitives.tsx'

/** Heading of the open screen, also while it loads and after it failed. */
export const ScreenTitle = createContext('')

export function AdminPage({
  title: heading,
  aside,
  width,
  gap = 4,
  children,
}: {
  readonly title?: string
  readonly aside?: ReactNode
  /** `full` for submission lists, `narrow` for short forms and figures. */
  readonly width?: 'full' | 'narrow'
  readonly gap?: 4 | 6 | 8
  readonly children: ReactNode
}) {
  const screenTitle = use(ScreenTitle)
  const title = heading ?? screenTitle
  useTitle(title)
  return (
    <Stack gap={gap} className={css.page} data-width={width}>
      <Row as="header" gap={3} align="baseline" justify="between">
        <Text as="h1" size="title">
          {title}
        </Text>
        {aside}
      </Row>
      {children}
    </Stack>
  )
}

export function useTitle(screen: string): void {
  useEffect(() => {
    document.title = `${screen} – Proof of Price administration`
  }, [screen])
}
