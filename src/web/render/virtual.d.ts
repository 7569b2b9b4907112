/** Made by vite.config.ts. */
declare module 'virtual:page-chunks' {
  /** The script files that each kind of page needs. */
  export const PAGE_CHUNKS: Readonly<Record<string, readonly string[]>>
}
