// Checks that the agent exists where it is to work, who pays for it, whether it may run as this user, and that its own
// sandbox runs a command. Spends no tokens.

import type { Agent } from '../../agent/agent.ts';
import { adapterOf, installerOf, programOf, shippedAgent } from '../../agent/agents.ts';
import { type AgentName, agentNames } from '../../config/agent-name.ts';
import type { Config } from '../../config/schema.ts';
import { readStages } from '../../config/stages.ts';
import { agentLocationOf, agentsInUse, withAgent } from '../../start/agent-start.ts';
import { imageOf } from '../../start/sandbox/image.ts';
import { runInside } from '../../start/sandbox/look-inside.ts';
import { isScripted, scriptedBilling } from '../../start/scripted-agent.ts';
import { type Checkup, type DoctorEntry, type DoctorTools, fail, makeEntry, ok, warn } from './entry.ts';

export const agentEntry: DoctorEntry = {
  name: 'agent',
  examine: async (tools) => {
    const found = judgeAgent(await lookAgent(tools));
    const other = tools.unread && programOf(tools.unread);
    if (found?.state !== 'fail' || !other || other === programOf(tools.config)) return found;
    return warn(
      `${found.says}; the settings of this repository, which do not count yet, name ${other}`,
      'pawl trust',
    );
  },
};

type AgentSeen = Readonly<{
  name: Config['agent']['name'];
  command: string;
  present: boolean;
  version: string | undefined;
  said: string;
  scripted?: boolean;
  /** The image in which it was looked for; absent: this machine. `isThere`: it is built. */
  image?: Readonly<{ name: string; isThere: boolean }>;
}>;

export async function lookAgent(tools: DoctorTools): Promise<AgentSeen | undefined> {
  const { config, has, run, place } = tools;
  const { name } = config.agent;
  const command = programOf(config);
  const seen = { name, command, scripted: isScripted(config) };
  const words = [...config.agent[name].args, '--version'];
  if (config.sandbox.kind === 'docker')
    return place && { ...seen, ...(await lookInImage(tools, place.root, [command, ...words])) };
  const present = has(command);
  const answer = present && isShipped(name) ? await run(command, words) : undefined;
  return { ...seen, present, ...readAnswer(answer?.code, answer) };
}

type Inside = Pick<AgentSeen, 'present' | 'version' | 'said' | 'image'>;

async function lookInImage(
  { context, config }: DoctorTools,
  root: string,
  [command = '', ...words]: readonly string[],
): Promise<Inside> {
  const { sandbox, agent } = config;
  const name = imageOf(context, config, root);
  const asked = isShipped(agent.name) ? [command, ...words] : ['true'];
  const end = await runInside(context, { sandbox, root }, [...['sh', '-c', ask, 'sh', command], ...asked]);
  const code = end?.ended.code;
  return {
    present: code !== 127,
    ...readAnswer(code, end && { stdout: end.stdout.text, stderr: end.stderr.text }),
    image: { name, isThere: end !== undefined },
  };
}

const ask = 'command -v "$1" > /dev/null || exit 127; shift; exec "$@"';

function readAnswer(
  code: number | null | undefined,
  { stdout = '', stderr = '' }: Readonly<{ stdout?: string; stderr?: string }> = {},
): Pick<AgentSeen, 'version' | 'said'> {
  return {
    version: code === 0 ? stdout.trim().split('\n')[0] : undefined,
    said: stderr.trim().split('\n')[0] ?? '',
  };
}

export function judgeAgent(seen: AgentSeen | undefined): Checkup | undefined {
  if (!seen) return undefined;
  const { name, command, present, version, said, scripted, image } = seen;
  if (image && !image.isThere) return ok(`${command} is looked for in the image when it is built`);
  if (!present && image)
    return fail(
      `${command || 'the script'} is not in the image ${image.name}`,
      'Install it there: sandbox.agents, sandbox.setup, or an image of your own (docker/README.md).',
    );
  if (!present) {
    return fail(`${command || 'the script'} cannot be started`, remedyOf(name));
  }
  if (!isShipped(name)) return ok(command);
  if (version === undefined) {
    return fail(
      `${command} --version does not answer${said ? `: ${said}` : ''}`,
      'Start it by hand and see.',
    );
  }
  const where = image ? ' in the image' : '';
  const known = scripted ? undefined : adapterOf(name).judgeVersion?.(version);
  if (!known?.isOlder) return ok(`${command} ${version}${where}`);
  return warn(
    `${command} ${version}${where} is older than what pawl knows`,
    image ? 'Build the image with a newer one.' : known.update,
  );
}

/** A user's own program is not started for a check: nobody knows what it would do. */
function isShipped(name: AgentSeen['name']): boolean {
  return installerOf(name) !== undefined;
}

function remedyOf(name: AgentSeen['name']): string {
  const install = installerOf(name);
  return `${install ? `${install}, or name it` : 'Name a program that exists'}: agent.${name}.command`;
}

/** Entries about the agent’s login and permissions. */
export const loginEntries: readonly DoctorEntry[] = [
  makeEntry('login', lookLogin, (found) => found),
  makeEntry('permissions', lookPermissions, (found) => found),
];

function lookLogin({ config, context }: DoctorTools): Checkup | undefined {
  if (isScripted(config)) return ok(scriptedBilling);
  return adapterOf(config.agent.name).examineLogin?.(config, agentLocationOf(context, config));
}

function lookPermissions({ config, context }: DoctorTools): Checkup | undefined {
  return adapterOf(config.agent.name).examinePermissions?.(config, agentLocationOf(context, config));
}

export const trialEntries: readonly DoctorEntry[] = agentNames
  .filter((name) => adapterOf(name).trialsOf !== undefined)
  .map((name) =>
    makeEntry(
      name,
      (tools) => tryOut(name, tools),
      (found) => found,
    ),
  );

async function tryOut(name: AgentName, { config, has, run }: DoctorTools): Promise<Checkup | undefined> {
  const { command = '', args } = config.agent[name];
  // In a container it is another machine's.
  if (config.sandbox.kind === 'docker' || !has(command)) return undefined;
  let found: Checkup | undefined;
  for (const { args: tried, judge } of adapterOf(name).trialsOf?.(config, {
    reviews: doesReview(name, config),
  }) ?? []) {
    found = judge(await run(command, [...args, ...tried]));
    if (found.state !== 'ok') break;
  }
  return found;
}

function doesReview(name: AgentName, { review }: Config): boolean {
  return readStages(review.stages).some((stage) => stage.agent === name);
}

/** An entry for each agent that could be a fallback, and one about what they lack. */
export const fallbackEntries: readonly DoctorEntry[] = [
  ...agentNames.map((name) =>
    makeEntry(
      'fallback',
      (tools) => lookFallback(tools, name),
      (found) => found,
    ),
  ),
  makeEntry('lacks', lookLacks, judgeLacks),
];

async function lookFallback(tools: DoctorTools, name: AgentName): Promise<Checkup | undefined> {
  const { agent } = tools.config;
  if (!agent.fallback.includes(name) || name === agent.name) return undefined;
  const config = withAgent(tools.config, name);
  const found = judgeAgent(await lookAgent({ ...tools, config }));
  if (found?.state !== 'ok') return found;
  const login = adapterOf(name).examineLogin?.(config, agentLocationOf(tools.context, config));
  return login && login.state !== 'ok' ? { ...login, says: `${name}: ${login.says}` } : found;
}

type Lacks = ReadonlyMap<AgentName, readonly string[]>;

function lookLacks({ config }: DoctorTools): Lacks {
  const names = agentsInUse(config, { stages: readStages(config.review.stages) });
  return new Map(names.map((name) => [name, lacksOf(shippedAgent(config, undefined, name))]));
}

/** What pawl must do without when this agent works. */
function lacksOf({ can, silentAtLimit }: Pick<Agent, 'can' | 'silentAtLimit'>): readonly string[] {
  return [
    ...(can.followUp ? [] : ['corrections in the same process']),
    ...(can.resume ? [] : ['continuing its conversation after a kill']),
    ...(can.usage ? [] : ['tokens']),
    ...(can.cost ? [] : ['cost in dollars']),
    ...(can.limits
      ? []
      : [silentAtLimit ? 'word of its usage limit (it falls silent)' : 'the reset of its usage limit']),
  ];
}

function judgeLacks(lacks: Lacks): Checkup | undefined {
  const lines = [...lacks].flatMap(([name, missing]) =>
    missing.length === 0 ? [] : [`${name}: no ${missing.join(', no ')}`],
  );
  return lines.length === 0 ? undefined : ok(lines.join('\n'));
}
