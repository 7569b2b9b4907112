/** For drizzle-kit, which `npm run migrations` installs into bin/migrations. */
export default {
  dialect: 'postgresql',
  schema: './src/server/database/schema/*.ts',
  out: './migrations',
  casing: 'snake_case',
}
