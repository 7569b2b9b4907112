import { z } from 'zod'

/**
 * The policy of the site forbids code made from strings, which zod tries for speed. Import this before any schema is
 * made.
 */
z.config({ jitless: true })
