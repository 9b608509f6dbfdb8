// pawl's tables in the fleet's database, as migration steps: a released step is never changed, only followed by another.
// Pure.

/** SQL that migrates the schema `pawl` from one version to the next; the version is the number of steps done. */
export const steps: readonly string[] = [
  // Who works. `seen`: its last heartbeat by the database's clock.
  `create table pawl.worker (
    id text primary key,
    name text not null,
    version text not null,
    labels text[] not null,
    slots int not null,
    busy int not null default 0,
    standing text not null default '',
    since timestamptz not null default now(),
    seen timestamptz not null default now()
  );
  create table pawl.run (
    run text primary key,
    job uuid,
    worker text,
    repo text not null,
    headline jsonb not null,
    seen timestamptz not null default now()
  );`,
  // What was submitted. `after`: the job that must be over first; until then it is not `sent` to the engine.
  `create table pawl.job (
    id uuid primary key,
    queue text not null,
    data jsonb not null,
    key text not null,
    priority int not null,
    after uuid references pawl.job,
    heartbeat int not null,
    sent boolean not null,
    run text,
    troubles int not null default 0,
    returned int not null default 0,
    result jsonb,
    at timestamptz not null default now(),
    ended timestamptz
  );
  create index on pawl.job (after) where not sent;
  create index on pawl.job (run);`,
  // What machines with one account share. `window`: an agent with which nobody begins until then. `hold`: what a run has
  // reported as spent, and has reserved for working sessions. `spend`: the same by day.
  `create table pawl.window (
    account text not null,
    agent text not null,
    why text not null,
    until timestamptz not null,
    set_by text not null,
    canaries int not null default 0,
    primary key (account, agent)
  );
  create table pawl.cap (
    account text not null,
    per text not null check (per in ('day', 'month', 'total')),
    usd numeric not null,
    at timestamptz not null default now(),
    primary key (account, per)
  );
  create table pawl.hold (
    run text primary key,
    account text not null,
    machine text not null,
    spent numeric not null,
    reserved numeric not null,
    at timestamptz not null default now()
  );
  create index on pawl.hold (account);
  create table pawl.spend (
    run text not null,
    account text not null,
    day date not null,
    usd numeric not null,
    primary key (run, account, day)
  );
  create index on pawl.spend (account, day);`,
  // Which repositories a worker allows, so that others can tell if nobody takes a job.
  `alter table pawl.worker add repos text[] not null default '{}';`,
  // Why a machine last gave a job back.
  `alter table pawl.job add trouble text;`,
  // Only a usage limit shuts a window.
  `alter table pawl."window" drop column why;`,
  // No money and no usage windows are shared any more.
  `drop table pawl."window", pawl.cap, pawl.hold, pawl.spend;`,
  // What people ask of the runs of jobs; whoever works on a job answers. One row a job tells how far its run is.
  `create table pawl.request (
    id uuid primary key default gen_random_uuid(),
    job uuid not null,
    asked_by text not null,
    wish jsonb not null,
    at timestamptz not null default now(),
    reply jsonb
  );
  create index on pawl.request (job);
  alter table pawl.job add worker text, add headline jsonb, add told timestamptz;
  drop table pawl.run;`,
];
