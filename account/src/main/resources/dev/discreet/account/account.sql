-- Accounts of Discreet. Run again, it changes nothing.

create table if not exists discreet_account (
  account text not null,
  number bigint not null,
  line text not null,
  hash text not null,
  written_by text not null,
  primary key (account, number)
);

do $$
begin
  if not exists (select from pg_roles where rolname = 'discreet_owner') then
    create role discreet_owner;
  end if;
  if not exists (select from pg_roles where rolname = 'discreet_analyst') then
    create role discreet_analyst;
  end if;
end
$$;

-- Appends one line to an account. It runs with the rights of whoever made the schema, because
-- nobody else may write to the table; so it has to look for itself who is asking.
create or replace function discreet_append(of_account text, at_number bigint, new_line text)
returns void
language plpgsql
security definer
set search_path = pg_catalog, public
as $$
declare
  entry jsonb := new_line::jsonb;
  kind text;
  last_number bigint;
  last_hash text;
  is_owner boolean := pg_has_role(session_user, 'discreet_owner', 'member');
begin
  perform pg_advisory_xact_lock(hashtext(of_account), 2);
  select number, hash into last_number, last_hash
    from public.discreet_account where account = of_account order by number desc limit 1;
  if at_number <> coalesce(last_number + 1, 0)
      or (entry ->> 'number')::bigint <> at_number
      or (entry ->> 'previous') <> coalesce(last_hash, '') then
    raise exception 'line of an account must be the one that follows the last. Provided value: %',
      at_number;
  end if;
  select k into kind from jsonb_object_keys(entry) as k
    where k not in ('number', 'previous', 'at', 'by');
  if kind in ('opened', 'limited', 'imported', 'closed') and not is_owner then
    raise exception 'role must be discreet_owner for %. Provided value: %', kind, session_user;
  end if;
  if kind = 'settled' and not is_owner and not exists (
      select from public.discreet_account
        where account = of_account
          and written_by = session_user
          and (line::jsonb -> 'reserved' ->> 'run') = (entry -> 'settled' ->> 'run')) then
    raise exception 'run to settle must be one of your own. Provided value: %',
      entry -> 'settled' ->> 'run';
  end if;
  insert into public.discreet_account values (
    of_account, at_number, new_line,
    encode(sha256(convert_to(new_line, 'UTF8')), 'hex'), session_user);
end
$$;

revoke all on discreet_account from public;
revoke all on function discreet_append(text, bigint, text) from public;
grant select on discreet_account to discreet_owner, discreet_analyst;
grant execute on function discreet_append(text, bigint, text) to discreet_owner, discreet_analyst;
