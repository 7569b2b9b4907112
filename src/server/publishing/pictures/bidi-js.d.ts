/** The package describes its CommonJS form only, with a default export that Node does not give it. */
declare module 'bidi-js/dist/bidi.mjs' {
  /** The Unicode Bidirectional Algorithm. */
  const bidiFactory: () => {
    /** A level for each UTF-16 unit: odd ones are read from right to left. */
    readonly getEmbeddingLevels: (
      text: string,
      base: 'ltr' | 'rtl',
    ) => { readonly levels: Uint8Array }
  }
  export default bidiFactory
}
