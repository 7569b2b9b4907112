import { useSyncExternalStore } from 'react'
import { Icon } from '#web/ui/icon.tsx'
import css from './back-to-top.module.css'

/** Scrolled farther than this, a phone offers the way back; CSS pixels (public-site.md §9). */
const THRESHOLD = 200

export function BackToTop() {
  const far = useSyncExternalStore(
    subscribe,
    () => window.scrollY > THRESHOLD,
    () => false,
  )
  if (!far) return null
  return (
    <button
      type="button"
      className={css.button}
      aria-label="Back to top"
      onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
    >
      <Icon name="arrow-up" />
    </button>
  )
}

function subscribe(notify: () => void): () => void {
  window.addEventListener('scroll', notify, { passive: true })
  return () => window.removeEventListener('scroll', notify)
}
