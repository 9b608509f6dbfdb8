// pawl's tables in the fleet's database. Pure.

export const tablesVersion = 10;

/**
 * Worker `seen`: its last heartbeat. A job is one row per branch of a repository; `beat`: its worker's last heartbeat,
 * null without one; `attempt`: how often offered, which tells its workers apart; `troubles`: as in `Offer`.
 */
export const tables = `create schema if not exists pawl;
  create table pawl.version (number int not null);
  insert into pawl.version values (${tablesVersion});
  create table pawl.worker (
    id text primary key,
    name text not null,
    version text not null,
    repos text[] not null,
    slots int not null,
    busy int not null,
    says text not null,
    since timestamptz not null default now(),
    seen timestamptz not null default now()
  );
  create table pawl.job (
    id uuid primary key,
    repo text not null,
    branch text not null,
    base text not null,
    data jsonb not null,
    after uuid references pawl.job on update cascade on delete set null,
    at timestamptz not null default now(),
    due timestamptz not null default now(),
    beat timestamptz,
    attempt int not null default 0,
    troubles int not null default 0,
    trouble text,
    run text,
    worker text,
    headline jsonb,
    told timestamptz,
    result jsonb,
    ended timestamptz,
    unique (repo, branch)
  );
  create index on pawl.job (repo, base) where result is null;
  create index on pawl.job (run);
  create table pawl.request (
    id uuid primary key default gen_random_uuid(),
    job uuid not null references pawl.job on update cascade on delete cascade,
    asked_by text not null,
    wish jsonb not null,
    at timestamptz not null default now(),
    reply jsonb
  );
  create index on pawl.request (job);`;
