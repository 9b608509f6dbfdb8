// Short commands of docker's client: is there an engine, what exists, remove it.
import { Failure } from '../failure.ts';
import { type ProgramEnd, type ProgramRequest, runProgram } from '../process/run-program.ts';
import type { Spawn } from '../process/spawn.ts';
import type { Sweep } from '../process/sweep.ts';
import { shorten } from '../shorten.ts';

export type DockerHost = Readonly<{
  spawn: Spawn;
  sweep: Sweep;
  /** The client's whole environment. */
  env: Readonly<Record<string, string>>;
}>;

export type Engine = Readonly<{ version: string; os: string }>;

const engineMs = 20_000;

/** If there is none, throws Failure('environment') with what to do. */
export async function findEngine(host: DockerHost): Promise<Engine> {
  const end = await docker(host, ['version', '--format', '{{.Server.Version}} {{.Server.Os}}']);
  const [version = '', os = ''] = end.stdout.text.trim().split(' ');
  if (end.ended.code === 0 && version !== '') return { version, os };
  if (end.ended.startError)
    throw new Failure('environment', 'docker was not found, and the run needs it for its sandbox', {
      hint: 'Install Docker, or choose another: --sandbox process, or --sandbox none.',
    });
  throw new Failure('environment', `docker’s engine does not answer: ${essence(end)}`, {
    hint: 'Start it (`sudo systemctl start docker`, or Docker Desktop), and check that `docker info` works for you. --sandbox process needs no docker.',
  });
}

export async function hasImage(host: DockerHost, image: string): Promise<boolean> {
  return (await docker(host, ['image', 'inspect', '--format', '{{.Id}}', image])).ended.code === 0;
}

/** Whatever they are doing. */
export async function removeLabelled(host: DockerHost, label: string): Promise<number> {
  const listed = await docker(host, ['ps', '--all', '--quiet', '--filter', `label=${label}`]);
  const ids = listed.stdout.text.split('\n').filter((id) => id !== '');
  if (ids.length > 0) await removeContainers(host, ids);
  return ids.length;
}

/** With everything in them; a missing one is fine. */
export async function removeContainers(host: DockerHost, names: readonly string[]): Promise<void> {
  await docker(host, ['rm', '--force', ...names]);
}

/** By default a short command that changes nothing. */
export function docker(
  host: DockerHost,
  args: readonly string[],
  more: Partial<ProgramRequest> = {},
): Promise<ProgramEnd> {
  return runProgram(host, { file: 'docker', args, cwd: '/', env: host.env, timeoutMs: engineMs, ...more });
}

export function startFailure(complaint: string): Failure {
  return new Failure('environment', `docker could not start the sandbox: ${complaint}`, {
    hint: 'The image needs Node 18 or later, as `node` in its PATH. Without --sandbox docker the run works on this machine itself.',
  });
}

export function essence({ stderr, timedOut }: Pick<ProgramEnd, 'stderr' | 'timedOut'>): string {
  if (timedOut) return `it took longer than ${engineMs / 1000} s`;
  const lines = stderr.text.split('\n').map((line) => line.trim());
  const telling = lines.find((line) => /error|cannot|denied|failed/i.test(line)) ?? lines[0] ?? '';
  return shorten(telling, 400);
}
