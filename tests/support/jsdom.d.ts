/** The package comes without types. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(markup: string, options?: { readonly contentType?: 'text/html' | 'text/xml' })
    readonly window: { readonly document: Document }
  }
}
