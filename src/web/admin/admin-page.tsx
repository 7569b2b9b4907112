import css from '#web/ui/admin-page.module.css'
import { useEffect, type ReactNode } from 'react'
import { Row, Stack, Text } from '#web/ui/primitives.tsx'

export function AdminPage({
  title,
  aside,
  width,
  gap = 4,
  children,
}: {
  readonly title: string
  /** Beside the heading. */
  readonly aside?: ReactNode
  /** Lists of submissions take all there is; short forms and figures take less than the others. */
  readonly width?: 'full' | 'narrow'
  readonly gap?: 4 | 6 | 8
  readonly children: ReactNode
}) {
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
