/** The name of the site, as pages, pictures, feeds and mails give it. */
export const SITE_NAME = 'Proof of Price'
