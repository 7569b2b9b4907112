declare module 'virtual:page-chunks' {
  export const PAGE_CHUNKS: Readonly<Record<string, readonly string[]>>
}
