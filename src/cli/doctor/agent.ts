// What a look of `pawl doctor` is, and those at agents. Spends no tokens.
import type { Diagnosis } from '../../agent/adapter.ts';
import { adapterOf, installerOf, programOf } from '../../agent/agents.ts';
import { shippedNameOf } from '../../agent-name.ts';
import type { Config } from '../../config/schema.ts';
import { agentLocationOf, findLoginDoubts, missingProgram, withAgent } from '../../start/agent-start.ts';
import type { CliContext } from '../../start/context.ts';
import type { Place } from '../../start/locate.ts';
import type { ProgramAnswer } from '../../start/run-quietly.ts';
import { imageOf } from '../../start/sandbox/image.ts';
import { runInside } from '../../start/sandbox/look-inside.ts';

export type DoctorTools = Readonly<{
  context: CliContext;
  config: Config;
  /** Undefined outside a repository. */
  place: Place | undefined;
  /** With stdin closed; never throws. */
  run(file: string, args: readonly string[]): Promise<ProgramAnswer>;
  has(file: string): boolean;
}>;

/** Undefined if it does not apply. A Failure that it throws is a row, too. */
export type Look = (tools: DoctorTools) => Promise<Diagnosis | undefined> | Diagnosis | undefined;

export const ok = (says: string): Diagnosis => ({ state: 'ok', says });
export const fail = (says: string, remedy: string): Diagnosis => ({ state: 'fail', says, remedy });
export const warn = (says: string, remedy: string): Diagnosis => ({ state: 'warn', says, remedy });

export const agentLooks: Readonly<Record<string, Look>> = {
  agent: lookAtAgent,
  login: ({ config, context }) => adapterOf(config).examineLogin?.(config, agentLocationOf(context, config)),
  permissions: ({ config, context }) =>
    adapterOf(config).examinePermissions?.(config, agentLocationOf(context, config)),
  fallback: lookAtFallbacks,
};

async function lookAtFallbacks({ config, ...tools }: DoctorTools): Promise<Diagnosis | undefined> {
  const { name: configured, fallback } = config.agent;
  const others = fallback.filter((name) => name !== configured);
  const looks = others.map((name) => lookAtFallback({ ...tools, config: withAgent(config, name) }));
  const found = (await Promise.all(looks)).flatMap((one) => one ?? []);
  const bad = found.find(({ state }) => state === 'fail') ?? found.find(({ state }) => state === 'warn');
  return bad ?? (found.length === 0 ? undefined : ok(found.map(({ says }) => says).join('\n')));
}

async function lookAtFallback(tools: DoctorTools): Promise<Diagnosis | undefined> {
  const { config, context } = tools;
  const found = await lookAtAgent(tools);
  if (found?.state !== 'ok') return found;
  const [doubt] = findLoginDoubts(context, config, [config.agent.name]);
  return doubt === undefined ? found : warn(doubt, 'Log in, or take it out of agent.fallback.');
}

/** A user's own program is not started: it could do anything. */
const isShipped = (config: Config) => installerOf(config) !== undefined;

async function lookAtAgent(tools: DoctorTools): Promise<Diagnosis | undefined> {
  const { config, has, run, place } = tools;
  const command = programOf(config);
  const words = [...config.agent[shippedNameOf(config)].args, '--version'];
  if (config.sandbox.kind === 'docker')
    return place && lookInImage(tools, { root: place.root, words: [command, ...words] });
  if (!has(command)) throw missingProgram(config);
  return isShipped(config) ? judgeVersion(config, await run(command, words)) : ok(command);
}

async function lookInImage(
  { context, config }: DoctorTools,
  { root, words }: Readonly<{ root: string; words: readonly [string, ...string[]] }>,
): Promise<Diagnosis> {
  const { sandbox } = config;
  const [command] = words;
  const asked = isShipped(config) ? words : ['true'];
  const end = await runInside(context, { sandbox, root }, ['sh', '-c', ask, 'sh', command, ...asked]);
  if (!end) return ok(`${command} is looked for in the image when it is built`);
  if (end.ended.code === 127) throw missingProgram(config, imageOf(context, config, root));
  if (!isShipped(config)) return ok(command);
  return judgeVersion(config, { code: end.ended.code, stdout: end.stdout.text, stderr: end.stderr.text });
}

const ask = 'command -v "$1" > /dev/null || exit 127; shift; exec "$@"';

function judgeVersion(config: Config, { code, stdout, stderr }: Omit<ProgramAnswer, 'missing'>): Diagnosis {
  const command = programOf(config);
  const [version = ''] = stdout.trim().split('\n');
  const said = stderr.trim().split('\n')[0];
  if (code !== 0)
    return fail(
      `${command} --version does not answer${said ? `: ${said}` : ''}`,
      'Start it by hand and see.',
    );
  const isInside = config.sandbox.kind === 'docker';
  const what = `${command} ${version}${isInside ? ' in the image' : ''}`;
  const known = adapterOf(config).oldestKnown;
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const [oldest = 0, oldestMinor = 0] = known?.version ?? [];
  if (!known || major > oldest || (major === oldest && minor >= oldestMinor)) return ok(what);
  return warn(
    `${what} is older than what pawl knows`,
    isInside ? 'Build the image with a newer one.' : known.update,
  );
}
