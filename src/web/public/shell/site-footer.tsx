import { type Contacts } from '#contracts/page.ts'
import { classNames } from '#web/ui/class-names.ts'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import css from './site-footer.module.css'
import { Row } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** Ways to the people behind the site that have not been set up are left out; /about says so. */
export function SiteFooter({
  contacts,
  aboveBar,
}: {
  readonly contacts: Contacts
  /** A phone shows its bottom bar on this page: keep clear of it. */
  readonly aboveBar: boolean
}) {
  return (
    <footer className={css.footer}>
      <div className={classNames(css.inner, aboveBar && css.aboveBar)}>
        <Row as="nav" gap={6} tight className={css.links} aria-label="About the site">
          <a href="/">Home</a>
          <a href="/about" target="_blank">
            About Us
          </a>
          <a href="/terms" target="_blank">
            Terms of Service
          </a>
          <a href="/methodology">Methodology</a>
          <a href="/data">Data</a>
          <a href="/corrections">Corrections</a>
          {contacts.social !== null && (
            <a href={contacts.social} rel="noopener me">
              X
            </a>
          )}
          {contacts.email !== null && <a href={`mailto:${contacts.email}`}>Contact Us</a>}
          {contacts.nostr !== null && (
            <a href={contacts.nostr} rel="noopener me">
              Nostr
            </a>
          )}
          <a href="/feed.xml">RSS</a>
        </Row>
        {!aboveBar && (
          <div className={css.theme}>
            <ThemeSwitch />
          </div>
        )}
        <Text size="small">Data collected from public sources. Updated regularly.</Text>
      </div>
    </footer>
  )
}
