/** Made by vite.config.ts. */
declare module 'virtual:page-chunks' {
  /** For each kind of page the script files it needs. */
  export const PAGE_CHUNKS: Readonly<Record<string, readonly string[]>>
}
