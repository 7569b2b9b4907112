/** Where the people behind the site can be found. Whoever runs a site of their own sets these when building it. */
export const SOCIAL_PROFILE: string =
  import.meta.env['VITE_SOCIAL_PROFILE'] ?? 'https://x.com/proofofprice'
export const NOSTR_PROFILE: string =
  import.meta.env['VITE_NOSTR_PROFILE'] ?? 'https://njump.me/_@proofofprice.com'

/** @param origin where the site stands, such as `https://example.org` */
export function contactLink(origin: string): string {
  const host = URL.canParse(origin) ? new URL(origin).hostname : 'localhost'
  return `mailto:${import.meta.env['VITE_CONTACT_EMAIL'] ?? `contact@${host}`}`
}
