/**
 * Our content security policy forbids code generation, which zod tries for speed. Import this first: zod reads its
 * settings when it is loaded.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
