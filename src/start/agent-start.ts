// Which agents a run could start, and whether each can, judged before anything changes.
import { statSync } from 'node:fs';
import type { Whereabouts } from '../agent/adapter.ts';
import { adapterOf, installerOf, isAgentVariable, programOf, shippedAgent } from '../agent/agents.ts';
import { agentNamesOf, commandKey, shippedNameOf } from '../agent-name.ts';
import { type Config, configSchema } from '../config/schema.ts';
import { defined } from '../defined.ts';
import type { AgentEvent } from '../event/activity.ts';
import { Failure } from '../failure.ts';
import type { Plan } from '../plan/plan.ts';
import { findStartError } from '../process/find-program.ts';
import { findEngine } from '../sandbox/docker.ts';
import { parseHostRule } from '../sandbox/egress.ts';
import { judgeEnvEntry, passthroughEnvironment } from '../sandbox/env-passthrough.ts';
import { readMounts } from '../sandbox/mounts.ts';
import { findNotThere } from './check-programs.ts';
import type { CliContext } from './context.ts';
import { judgeBwrap } from './sandbox/find-read-only.ts';
import { dockerHost, imageOf, readyImage } from './sandbox/image.ts';

/** The configured one, then fallbacks, those of open tasks and of stages. An optional stage without one is skipped. */
export function agentsInUse(
  config: Pick<Config, 'agent' | 'review'>,
  tasks: Plan['tasks'] = [],
): readonly string[] {
  const { agent, review } = config;
  const isOpen = ({ steps }: Plan['tasks'][number]) => steps.some(({ ticked }) => !ticked);
  const named = new Set<string | undefined>([
    ...agent.fallback,
    ...tasks.filter(isOpen).map((task) => task.agent),
    ...review.stages.filter(({ optional }) => !optional).map((stage) => stage.agent),
  ]);
  return [agent.name, ...agentNamesOf(config).filter((name) => name !== agent.name && named.has(name))];
}

export function withAgent<T extends Pick<Config, 'agent'>>(config: T, name: string): T {
  return { ...config, agent: { ...config.agent, name } };
}

/** Throws a Failure for the first that cannot start. */
function refuseAgents(context: CliContext, config: Config, names: readonly string[]): void {
  for (const name of names) {
    const named = withAgent(config, name);
    if (findStartError(programOf(named), context.cwd, context.env['PATH']) !== undefined)
      throw missingProgram(named);
    const found = adapterOf(named).examinePermissions?.(named, agentLocationOf(context, named));
    if (found?.state === 'fail') throw new Failure('preflight', found.says, defined({ hint: found.remedy }));
  }
}

/** `image`: that it should be in; absent: it is this machine's. */
export function missingProgram(config: Pick<Config, 'agent'>, image?: string): Failure {
  const { name, fallback } = config.agent;
  const install = installerOf(config);
  const other = `name another: ${commandKey(shippedNameOf(config))}`;
  const here = install === undefined ? other : `${install}, or ${other}`;
  const first = image === undefined ? here : inImage;
  const where = image === undefined ? 'was not found' : `is missing in the image ${image}`;
  return new Failure('agent-refused', `the agent’s program ${programOf(config)} ${where}`, {
    hint: fallback.includes(name) ? `${first}\nOr take ${name} out of agent.fallback.` : first,
  });
}

const inImage =
  'Install it there: sandbox.agents, sandbox.setup, or an image of your own (docker/README.md).';

/** Of agents other than the configured one, which are needed when nobody is watching. */
export function findLoginDoubts(
  context: CliContext,
  config: Config,
  names: readonly string[],
): readonly string[] {
  return names.flatMap((name) => {
    const given = withAgent(config, name);
    const found = adapterOf(given).examineLogin?.(given, agentLocationOf(context, given));
    if (!found || found.state === 'ok') return [];
    return [`${name}: ${found.says}${found.remedy === undefined ? '' : `; ${found.remedy}`}`];
  });
}

/** In a sandbox an agent sees only the variables passed in, and no home. */
export function agentLocationOf(
  { env, folders, platform, uid }: Pick<CliContext, 'env' | 'folders' | 'platform' | 'uid'>,
  { agent, sandbox }: Pick<Config, 'agent' | 'sandbox'>,
): Whereabouts {
  const own = agent.logins[agent.name]?.env;
  if (sandbox.kind === 'none')
    return { env: { ...env, ...own }, home: folders.home, platform, uid, isInside: false };
  const crossing = passthroughEnvironment(env, sandbox.env, isAgentVariable);
  return { env: { ...crossing, ...own }, home: '/nonexistent', platform: 'linux', uid, isInside: true };
}

/** Nothing of an agent that this pawl does not know. */
export function readerOf(name: string): (line: string) => readonly AgentEvent[] {
  const config = configSchema.safeParse({ agent: { name, script: { command: 'none' } } });
  if (!config.success) return () => [];
  const agent = shippedAgent(config.data, undefined);
  const conversation = agent.open();
  return (line) => conversation.read(line).events;
}

/**
 * Throws a Failure if agents cannot start where the settings say. Returns what is missing of `also`, checks' programs.
 */
export async function judgeAgents(
  context: CliContext,
  config: Config,
  {
    root,
    agents,
    also = [],
  }: Readonly<{ root: string; agents: readonly string[]; also?: readonly string[] }>,
): Promise<readonly string[]> {
  const { kind } = config.sandbox;
  if (kind !== 'none') await judgeSandbox(context, config, root);
  // In bubblewrap an agent is this machine's own.
  if (kind !== 'docker') {
    refuseAgents(context, config, agents);
    return findNotThere(context, config, { root, programs: also });
  }
  await readyImage(context, { config, root });
  // At once: each check is its own container.
  const programs = agents.map((name) => programOf(withAgent(config, name)));
  const missing = await findNotThere(context, config, { root, programs: [...programs, ...also] });
  const lost = agents.find((_, at) => missing.includes(programs[at] ?? ''));
  if (lost === undefined) return missing;
  throw missingProgram(withAgent(config, lost), imageOf(context, config, root));
}

/** The same without the image; makes nothing. */
export async function judgeSandbox(context: CliContext, { sandbox }: Config, root: string): Promise<void> {
  const wrong = sandbox.env.flatMap((entry) => judgeEnvEntry(entry) ?? [])[0];
  if (wrong !== undefined) throw new Failure('config', `sandbox.env: ${wrong}`);
  const unread = sandbox.allow.find((entry) => !parseHostRule(entry));
  if (unread !== undefined)
    throw new Failure(
      'config',
      `sandbox.allow: “${unread}” is no HOST, HOST:PORT, *.HOST or ADDRESS[/PREFIX]`,
    );
  readMounts(sandbox.mounts, { home: context.folders.home, root });
  const owner = statSync(root).uid;
  if (context.uid !== undefined && context.uid !== owner)
    throw new Failure(
      'preflight',
      `${root} belongs to another user (uid ${owner}): a sandbox would have to write files as that user`,
      { hint: 'Run pawl as the user whose repository it is.' },
    );
  if (sandbox.kind === 'process') return judgeBwrap(context);
  const { os } = await findEngine(dockerHost(context));
  if (os !== 'linux')
    throw new Failure('environment', `docker’s engine runs ${os} containers; the sandbox needs Linux ones`);
}
