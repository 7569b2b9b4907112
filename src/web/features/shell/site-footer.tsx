import { classNames } from '#web/ui/class-names.ts'
import css from './site-footer.module.css'
import { contactLink, NOSTR_PROFILE, SOCIAL_PROFILE } from './site-links.ts'

export function SiteFooter({
  origin,
  aboveBar,
}: {
  /** Where the site stands, without a slash at the end. */
  readonly origin: string
  /** A phone shows its bottom bar on this page: keep clear of it. */
  readonly aboveBar: boolean
}) {
  return (
    <footer className={css.footer}>
      <div className={classNames(css.inner, aboveBar && css.aboveBar)}>
        <nav className={css.links} aria-label="About the site">
          <a href="/">Home</a>
          <a href="/about" target="_blank">
            About Us
          </a>
          <a href="/terms" target="_blank">
            Terms of Service
          </a>
          <a href="/methodology">Methodology</a>
          <a href={SOCIAL_PROFILE} target="_blank" rel="noopener me">
            X
          </a>
          <a href={contactLink(origin)}>Contact Us</a>
          <a href={NOSTR_PROFILE} target="_blank" rel="noopener me">
            Nostr
          </a>
          <a href="/feed.xml">RSS</a>
        </nav>
        <p className={css.sentence}>Data collected from public sources. Updated regularly.</p>
      </div>
    </footer>
  )
}
