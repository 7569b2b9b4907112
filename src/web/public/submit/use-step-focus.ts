import { useEffect, useRef, type RefObject } from 'react'

/** Puts the focus on the heading of a step as it appears: what had it before is gone. */
export function useStepFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return heading
}
