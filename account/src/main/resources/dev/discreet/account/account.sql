-- Accounts of Discreet. Run again, it changes nothing.

create table if not exists public.discreet_account (
  account text not null,
  number bigint not null,
  line text not null,
  hash text not null,
  kind text not null,
  run text not null,
  written_by text not null,
  primary key (account, number)
);
create index if not exists discreet_account_run on public.discreet_account (account, run);

do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'discreet_owner') then
    create role discreet_owner;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'discreet_analyst') then
    create role discreet_analyst;
  end if;
  if not pg_catalog.pg_has_role(current_user, 'discreet_owner', 'member') then
    execute pg_catalog.format('grant discreet_owner to %I', current_user);
  end if;
end
$$;

-- What a line says that something costs: a number for each order of the account, the largest loss
-- and the own delta. An infinite one is a text.
create or replace function public.discreet_cost(entry jsonb)
returns double precision[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select (each #>> '{}')::double precision
      from jsonb_array_elements(entry -> 'cost' -> 'logMoments') with ordinality as all_of (each, nth)
      order by nth)
    || (entry -> 'cost' ->> 'largestLoss')::double precision
    || (entry -> 'cost' ->> 'ownDelta')::double precision
$$;

-- Whether every program reads the same in a text: no name twice in an object, nothing deeper than
-- any entry is, and no number of more digits than programs keep. With json, not jsonb, which
-- forgets names that are there twice.
create or replace function public.discreet_is_plain(line json)
returns boolean
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  with recursive node (depth, value) as (
    select 1, line
    union all
    select node.depth + 1, child.value
      from node cross join lateral (
        select value from json_each(
          case json_typeof(node.value) when 'object' then node.value else '{}' end)
        union all
        select value from json_array_elements(
          case json_typeof(node.value) when 'array' then node.value else '[]' end)
      ) as child (value)
      where node.depth <= 50
  )
  select not exists (
    select from node
      where depth > 50
        or json_typeof(value) = 'number' and length(value::text) > 40
        or json_typeof(value) = 'object' and (
          select count(*) <> count(distinct name) from json_object_keys(value) as all_of (name)))
$$;

-- Appends one line to an account. It runs with the rights of whoever made the schema, because
-- nobody else may write to the table. So it looks for itself who is asking, and it takes names from
-- nowhere but the system's own schema: pg_temp, where callers may put what they like, comes last.
create or replace function public.discreet_append(of_account text, at_number bigint, new_line text)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Of each kind of entry the fields that our programs need to read it, and their types.
  shapes constant jsonb := '{
    "opened": {"id": "string", "unit": "string", "unitColumn": "string", "neighbouring": "string",
      "ceiling": "object", "follows": "string", "carried": "array", "broken": "string"},
    "reserved": {"verb": "string", "recipe": "string", "folder": "string", "run": "string",
      "session": "string", "journal": "string", "planned": "object", "cost": "object"},
    "resumed": {"run": "string", "session": "string", "journal": "string"},
    "settled": {"run": "string", "charged": "object", "cost": "object", "proof": "string"},
    "imported": {"source": "string", "digest": "string", "spent": "object", "cost": "object",
      "declared": "boolean"},
    "limited": {"share": "number"},
    "listed": {"file": "string", "key": "string", "fingerprint": "string"},
    "passedOver": {"verb": "string", "recipe": "string", "folder": "string"},
    "broken": {"verb": "string", "recipe": "string", "folder": "string", "reason": "string"},
    "closed": {"reason": "string", "next": "string", "place": "string"}}';
  entry jsonb := new_line::jsonb;
  own_kind text;
  own_run text;
  proof text;
  last_number bigint;
  last_hash text;
  parts int;
  cost double precision[];
  lowest double precision[];
  highest double precision[];
  earlier record;
  is_owner boolean := pg_has_role(session_user, 'discreet_owner', 'member');
begin
  perform pg_advisory_xact_lock(hashtext(of_account), 2);
  -- Whoever is told that the line is there must find it after a crash of the server.
  perform set_config('synchronous_commit', 'on', true);

  select number, hash into last_number, last_hash
    from public.discreet_account where account = of_account order by number desc limit 1;
  if at_number is distinct from coalesce(last_number + 1, 0)
      or jsonb_typeof(entry) is distinct from 'object'
      or (new_line::json ->> 'number') is distinct from at_number::text
      or (entry -> 'previous') is distinct from to_jsonb(coalesce(last_hash, '')) then
    raise exception 'line of an account must be the one that follows the last. Provided value: %',
      at_number;
  end if;
  if not public.discreet_is_plain(new_line::json) then
    raise exception 'line of an account must name each field once. Provided value: %',
      left(new_line, 100);
  end if;
  select min(name) filter (where name not in ('number', 'previous', 'at', 'by')) into own_kind
    from json_object_keys(new_line::json) as all_of (name)
    having count(*) = 5
      and count(*) filter (where name in ('number', 'previous', 'at', 'by')) = 4;
  if own_kind is null or shapes -> own_kind is null
      or jsonb_typeof(entry -> own_kind) <> 'object' then
    raise exception 'line of an account must have one entry, of a known kind. Provided value: %',
      coalesce(own_kind, left(new_line, 100));
  end if;
  if not coalesce((
      select jsonb_object_agg(key, jsonb_typeof(value)) from jsonb_each(entry -> own_kind)), '{}')
      @> (shapes -> own_kind) then
    raise exception 'entry must have these fields: %. Provided value: %',
      shapes -> own_kind, left(new_line, 100);
  end if;
  if exists (
      select from jsonb_each_text(entry -> own_kind)
        where key in ('verb', 'recipe', 'folder')
          and value ~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]'
          or key = 'verb' and value !~ '[[:alnum:]]') then
    raise exception 'verb, recipe and folder must be on one line. Provided value: %',
      left(new_line, 100);
  end if;
  if not (case when entry ->> 'at' ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$'
      then to_char((entry ->> 'at')::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        = entry ->> 'at'
      else false end) then
    raise exception 'time of a line must be as in 2026-01-31T12:00:00Z. Provided value: %',
      left(entry ->> 'at', 100);
  end if;
  -- What an account carries over has no bound.
  if own_kind <> 'opened' and length(new_line) > 4000000 then
    raise exception 'line of an account must have at most 4000000 characters. Provided value: %',
      length(new_line);
  end if;
  if own_kind not in ('reserved', 'resumed', 'settled', 'passedOver') and not is_owner then
    raise exception 'role must be discreet_owner for %. Provided value: %', own_kind, session_user;
  end if;
  -- One that is closed takes what makes it truer, and one account that takes over.
  if exists (
      select from public.discreet_account
        where account = of_account and kind = 'closed'
          and (own_kind not in ('settled', 'passedOver', 'broken', 'closed')
            or own_kind = 'closed' and (coalesce(entry -> 'closed' ->> 'next', '') = ''
              or line::jsonb -> 'closed' ->> 'next' <> ''))) then
    raise exception 'account must be open. Provided value: closed';
  end if;
  if (own_kind = 'opened') <> (at_number = 0) then
    raise exception 'first line of an account must be the one that opens it, and no other.'
      ' Provided value: %', own_kind;
  end if;
  if (entry -> 'by') is distinct from to_jsonb(session_user::text) then
    raise exception 'writer of a line must be who is logged in, %. Provided value: %',
      session_user, coalesce(entry ->> 'by', 'none');
  end if;

  own_run := coalesce(entry -> own_kind ->> 'run', '');
  if own_kind in ('reserved', 'settled', 'imported') then
    select jsonb_array_length(line::jsonb -> 'opened' -> 'ceiling' -> 'orders') + 2 into parts
      from public.discreet_account where account = of_account and number = 0;
    cost := public.discreet_cost(entry -> own_kind);
    -- Nothing is above infinity but what is not a number.
    if array_length(cost, 1) is distinct from parts
        or (entry -> own_kind -> 'cost') - array['logMoments', 'largestLoss', 'ownDelta'] <> '{}'
        or exists (select from jsonb_path_query(entry -> own_kind -> 'cost', '$.**') as part
          where jsonb_typeof(part) = 'string' and part <> '"Infinity"')
        or exists (select from unnest(cost) as each
          where each is null or each < 0 or each > 'Infinity') then
      raise exception 'costs must be % numbers of at least 0. Provided value: %',
        parts, coalesce(entry -> own_kind ->> 'cost', 'none');
    end if;
  end if;

  if own_kind in ('reserved', 'resumed', 'settled') then
    if own_run !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      raise exception 'run must be a random UUID. Provided value: %', left(own_run, 100);
    end if;
    if own_kind <> 'settled' and coalesce(entry -> own_kind ->> 'session', '') = '' then
      raise exception 'session must be named. Provided value: %', left(new_line, 100);
    end if;
    if own_kind <> 'reserved' and not exists (
        select from public.discreet_account
          where account = of_account and run = own_run and kind = 'reserved') then
      raise exception 'run must be one that has reserved. Provided value: %', own_run;
    end if;
    -- A run is whose who reserved first for it, also after an owner has settled it.
    if not is_owner and session_user <> (
        select written_by from public.discreet_account
          where account = of_account and run = own_run and kind = 'reserved'
          order by number limit 1) then
      raise exception 'run must be one of your own. Provided value: %', own_run;
    end if;
  end if;

  if own_kind = 'settled' then
    -- What the run has for certain charged, and what it may have: all that it reserved since.
    lowest := array_fill(0::double precision, array[parts]);
    highest := lowest;
    for earlier in
      select kind, public.discreet_cost(line::jsonb -> kind) as cost
        from public.discreet_account
        where account = of_account and run = own_run and kind in ('reserved', 'settled')
        order by number
    loop
      if earlier.kind = 'settled' then
        lowest := earlier.cost;
        highest := earlier.cost;
      else
        highest := array(
          select a + b from unnest(highest, earlier.cost) as both_of (a, b));
      end if;
    end loop;
    proof := entry -> own_kind ->> 'proof';
    if proof is null or proof not in ('RUN', 'JOURNAL', 'NONE') then
      raise exception 'proof must be RUN, JOURNAL or NONE. Provided value: %',
        coalesce(proof, 'none');
    end if;
    if proof = 'NONE' then
      lowest := highest;
    end if;
    -- More is always taken: it may be the truth. Sums of rounded numbers differ in their last
    -- digits.
    if exists (
        select from unnest(cost, lowest) as both_of (c, l) where c < l * (1 - 1e-9)) then
      raise exception 'cost of a run that is settled must be at least what it is known to have'
        ' charged. Provided value: %', own_run;
    end if;
  end if;

  insert into public.discreet_account values (
    of_account, at_number, new_line, encode(sha256(convert_to(new_line, 'UTF8')), 'hex'),
    own_kind, own_run, session_user);
end
$$;

revoke all on public.discreet_account from public;
revoke all on function public.discreet_cost(jsonb) from public;
revoke all on function public.discreet_is_plain(json) from public;
revoke all on function public.discreet_append(text, bigint, text) from public;
grant select on public.discreet_account to discreet_owner, discreet_analyst;
grant execute on function public.discreet_append(text, bigint, text)
  to discreet_owner, discreet_analyst;
