// A fleet in a test: a PostgreSQL, a bare remote with a repository of several plans, and workers, each with a home of its own.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FleetJob } from '../../src/report/status/format-fleet.ts';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { letterPlan } from './letters.ts';
import { makeNight, pidsOf, preload } from './night.ts';
import { expectExit, type Running, startPawl } from './pawl.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { makeTempFolder } from './temp-folder.ts';

/** What is in it: letters of each plan by the name of its file. */
export type FleetOptions = Readonly<{
  plans: Readonly<Record<string, readonly string[]>>;
  turns: readonly Turn[];
  env?: Readonly<Record<string, string>>;
  /** Under which everybody knows the remote; default: its folder. */
  address?: string;
  /** Default: one of its own. */
  postgres?: Postgres;
}>;

/** A worker at work; `home`: its own folder. */
export type FleetWorker = Running & Readonly<{ name: string; home: string; said(): string }>;

export type Fleet = Awaited<ReturnType<typeof makeFleet>>;

/** Makes one. */
export async function makeFleet({ plans, turns, env, address, postgres: given }: FleetOptions) {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(makeTempFolder()).path;
  const postgres = given ?? stack.use(await startPostgres());
  const url = postgres.createDatabase();
  const remote = path.join(folder, 'remote.git');
  const files = Object.fromEntries(
    Object.entries(plans).map(([name, letters]) => [`docs/plans/${name}.md`, letterPlan(...letters)]),
  );
  const identity = path.join(folder, 'gitconfig');
  const known = address === undefined ? '' : `[url "${remote}"]\n\tinsteadOf = ${address}\n`;
  await writeFile(identity, `[user]\n\tname = Worker\n\temail = worker@example.invalid\n${known}`);
  const scene = stack.use(
    await makeNight({
      plan: letterPlan('z'),
      files,
      turns,
      env: {
        ...{ FIXED_CARRY_EVERY_MS: '1000', FIXED_HEARTBEAT_MS: '5000', FIXED_MIN_DISK_GB: '0' },
        ...{ PAWL_FLEET_URL: url, PAWL_FLEET_REPOS: address ?? remote, GIT_CONFIG_GLOBAL: identity, ...env },
      },
    }),
  );
  await scene.repo.git('clone', '-q', '--bare', scene.repo.path, remote);
  await scene.repo.git('remote', 'add', 'origin', address ?? remote);
  const jobs = async () => {
    const seen = await scene.pawl('fleet', '--json');
    return (JSON.parse(seen.stdout) as Readonly<{ jobs: readonly FleetJob[] }>).jobs;
  };
  const job = async (id: string) => JSON.parse((await scene.pawl('fleet', id, '--json')).stdout) as FleetJob;
  const workers: FleetWorker[] = [];
  stack.defer(async () => {
    // A pawl that was frozen hears of its worker's end only when it wakes.
    const homes = workers.map(({ home }) => pidsOf({ ...scene, home }));
    for (const pid of homes.flat())
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    await Promise.all(workers.map(({ ended }) => ended));
  });
  const worker = (name: string, ...args: string[]): FleetWorker => {
    const home = path.join(folder, name);
    const own = { ...scene.env, HOME: home, XDG_RUNTIME_DIR: home, XDG_CACHE_HOME: path.join(home, 'cache') };
    const running = startPawl(['fleet', 'work', '--sandbox', 'none', ...args], {
      cwd: folder,
      // The pawl that a worker starts has the same clocks.
      env: { ...preload('short-clocks'), ...own, PAWL_CARRY_MACHINE: name },
    });
    let said = '';
    running.child.stderr?.on('data', (text: string) => {
      said += text;
    });
    const started = { ...running, name, home, said: () => said };
    workers.push(started);
    return started;
  };
  return {
    ...{ scene, postgres, url, remote, jobs, job, worker },
    inRemote: (...args: string[]) => scene.repo.git(`--git-dir=${remote}`, ...args),
    pawl: scene.pawl,
    /** In the scene's repository; returns the job's id. */
    submit: async (plan: string, ...args: string[]) => {
      const words = ['fleet', 'submit', `docs/plans/${plan}.md`, '--trust', '--json'];
      const ended = await expectExit(0, scene.pawl(...words, ...args));
      return (JSON.parse(ended.stdout) as Readonly<{ id: string }>).id;
    },
    /** Waits until the job is over. */
    over: async (id: string) => {
      // Asked of the table: a pawl for each look would cost more than the workers do.
      const look = `select count(*) from pawl.job where id = '${id}' and result is not null`;
      while (postgres.sql(url, look) === '0') await new Promise((resolve) => setTimeout(resolve, 300));
      return job(id);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
