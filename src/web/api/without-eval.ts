/**
 * The policy of the site forbids code made from strings, which zod tries for speed. Entries import this first: zod reads its
 * settings from here when it is loaded.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
