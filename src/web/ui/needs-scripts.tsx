/** What a reader sees whose browser runs no scripts, where a page is nothing without them. Only the server draws it. */
export function NeedsScripts() {
  return (
    <noscript>
      {import.meta.env.SSR && <p>This needs JavaScript, which is off in this browser.</p>}
    </noscript>
  )
}
