import { type TestDatabase } from './test-app.ts'

/** Has columns that the database fills use the time of the tests, `present()`. @returns sets it */
export async function presentTime({
  sql,
}: Pick<TestDatabase, 'sql'>): Promise<(ms: number) => Promise<void>> {
  await sql(`create schema clock; create table clock.present (at) as select now();
    create function present() returns timestamptz language sql as 'select at from clock.present';
    do $$ declare one record; begin
      for one in select * from information_schema.columns where table_schema = 'public' and column_default = 'now()'
      loop execute format('alter table %I alter %I set default present()', one.table_name, one.column_name); end loop;
    end $$`)
  return async (ms) => {
    await sql('update clock.present set at = $1', [new Date(ms)])
  }
}
