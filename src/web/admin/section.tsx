import { type ReactNode } from 'react'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** A part of a screen below its heading. */
export function Section({
  title,
  ruled = false,
  gap = 3,
  children,
}: {
  readonly title: string
  /** Whether a line divides it from the part above, and its forms and tables keep to its left. */
  readonly ruled?: boolean
  readonly gap?: 3 | 4
  readonly children: ReactNode
}) {
  return (
    <Stack
      as="section"
      gap={gap}
      align={ruled ? 'start' : undefined}
      ruled={ruled}
      aria-label={title}
    >
      <Text as="h2" size="lead">
        {title}
      </Text>
      {children}
    </Stack>
  )
}
