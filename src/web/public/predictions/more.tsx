import { useEffect, useRef } from 'react'
import { showCount } from '#domain/price-text.ts'
import { Button } from '#web/ui/button.tsx'
import css from './card-list.module.css'

export function More({ rest, onMore }: { readonly rest: number; readonly onMore: () => void }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = ref.current
    if (!element || !('IntersectionObserver' in window)) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onMore()
      },
      { rootMargin: '600px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  })
  return (
    <div ref={ref} className={css.more}>
      <Button onClick={onMore}>Show more ({showCount(rest)})</Button>
    </div>
  )
}
