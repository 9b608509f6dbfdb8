// A PostgreSQL of a test's own, on a socket in a temporary folder. PostgreSQL refuses to run as root: root's tests start it as
// another user. What needs it asks `has('PostgreSQL (postgresql)')` first.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { postgresBin } from './needs.ts';
import { makeTempFolder } from './temp-folder.ts';

/** The server, and how it is hurt. */
export type Postgres = AsyncDisposable &
  Readonly<{
    /** Makes an empty database; its address. */
    createDatabase(): string;
    /** Runs SQL as its owner; the output, a line per row. */
    sql(url: string, text: string): string;
    /** Ends it as a crash does. */
    crash(): Promise<void>;
    /** Starts it again. */
    start(): Promise<void>;
  }>;

const user = process.getuid?.() === 0 ? 'postgres' : undefined;

/** Starts one. */
export async function startPostgres(): Promise<Postgres> {
  if (postgresBin === undefined) throw new Error('ask for PostgreSQL before you start it');
  const bin = postgresBin;
  const folder = makeTempFolder();
  const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' };
  const owner = user === undefined ? undefined : idsOf(user);
  if (owner) chownSync(folder.path, owner.uid, owner.gid);
  const as = owner ? { uid: owner.uid, gid: owner.gid } : {};
  const run = (program: string, args: readonly string[], input = '') =>
    execFileSync(path.join(bin, program), [...args], {
      env,
      input,
      stdio: 'pipe',
      cwd: '/',
      ...as,
    }).toString();
  const data = path.join(folder.path, 'data');
  run('initdb', ['-D', data, '-U', 'pawl', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  writeFileSync(path.join(data, 'pg_hba.conf'), 'local all locked scram-sha-256\nlocal all all trust\n');
  const quick = [
    'listen_addresses=',
    `unix_socket_directories=${folder.path}`,
    'fsync=off',
    'max_connections=200',
  ];
  appendFileSync(
    path.join(data, 'postgresql.conf'),
    quick.map((line) => `${line.replace('=', " = '")}'\n`).join(''),
  );
  const urlOf = (name: string, login = 'pawl') =>
    `postgres://${login}@/${name}?host=${encodeURIComponent(folder.path)}`;
  const sql = (name: string, text: string) =>
    run(
      'psql',
      ['-h', folder.path, '-U', 'pawl', '-d', name, '-qAtX', '-v', 'ON_ERROR_STOP=1'],
      text,
    ).trimEnd();
  let server: ChildProcess | undefined;
  const start = async () => {
    server = spawn(path.join(bin, 'postgres'), ['-D', data], { env, stdio: 'ignore', cwd: '/', ...as });
    for (;;) {
      if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
      try {
        sql('postgres', 'select 1');
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const end = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const over = once(server, 'exit');
    server.kill('SIGCONT');
    server.kill(signal);
    await over;
  };
  // A test process that ends early leaves none behind.
  process.once('exit', () => server?.kill('SIGQUIT'));
  await start();
  sql('postgres', "create role locked login password 'open sesame'; create role poor login;");
  let count = 0;
  return {
    createDatabase: () => {
      count += 1;
      sql('postgres', `create database t${count}; revoke create on database t${count} from public;`);
      return urlOf(`t${count}`);
    },
    sql: (url, text) => sql(/\/(\w+)\?/.exec(url)?.[1] ?? '', text),
    crash: () => end('SIGQUIT'),
    start,
    [Symbol.asyncDispose]: async () => {
      await end('SIGQUIT');
      folder[Symbol.dispose]();
    },
  };
}

function idsOf(name: string): Readonly<{ uid: number; gid: number }> {
  const id = (flag: string) => Number(execFileSync('id', [flag, name]).toString());
  return { uid: id('-u'), gid: id('-g') };
}
