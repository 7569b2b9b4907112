import { type Pool } from 'pg'

/**
 * Stores the rows of all tables and their serial ids.
 *
 * @returns a function that restores them: for tests that share a site and each begin with the same record
 */
export async function snapshotRows(pool: Pool): Promise<() => Promise<void>> {
  await pool.query(`
    create schema kept;
    do $$ declare one record;
    begin
      for one in select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'record_state'
          and pg_relation_size(oid) > 0 loop
        execute format('create table kept.%I as table public.%I', one.relname, one.relname);
      end loop;
      create table kept."the sequences" as
        select sequencename, coalesce(last_value, start_value) as at, last_value is not null as called
        from pg_sequences where schemaname = 'public';
    end $$;
    create function kept.put_back() returns void language plpgsql as $$
    declare one record;
    begin
      perform set_config('session_replication_role', 'replica', true);
      -- A refusal that is being written has its number already.
      lock table audit_log in exclusive mode;
      for one in select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'record_state'
          and pg_relation_size(oid) > 0 loop
        execute format('delete from public.%I', one.relname);
      end loop;
      for one in
        select c.relname, string_agg(quote_ident(attname), ', ') as columns
        from pg_class c join pg_attribute on attrelid = c.oid
        where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped and attgenerated = ''
          and relname <> 'record_state' and exists (select from pg_tables where schemaname = 'kept' and tablename = c.relname)
        group by 1 loop
        execute format('insert into public.%I (%s) overriding system value select %s from kept.%I',
          one.relname, one.columns, one.columns, one.relname);
      end loop;
      perform setval(format('public.%I', sequencename)::regclass, at, called) from kept."the sequences";
      -- Another one than every version before: what is kept under those is of another record.
      update public.record_state set version = version + 1, prices = version + 1;
    end $$`)
  return async () => {
    await pool.query('select kept.put_back()')
  }
}
