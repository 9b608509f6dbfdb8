// Whether the sandbox of the settings is available, judged before anything changes.
import { statSync } from 'node:fs';
import { programOf } from '../agent/agents.ts';
import type { Config } from '../config/schema.ts';
import { Failure } from '../failure.ts';
import { findEngine } from '../sandbox/docker.ts';
import { parseHostRule } from '../sandbox/egress.ts';
import { judgeEnvEntry } from '../sandbox/env-passthrough.ts';
import { readMounts } from '../sandbox/mounts.ts';
import { judgeAgentStarts, missingProgram, withAgent } from './agent-start.ts';
import { findNotThere } from './check-programs.ts';
import type { CliContext } from './context.ts';
import { judgeBwrap } from './sandbox/find-read-only.ts';
import { dockerHost, imageOf, readyImage } from './sandbox/image.ts';

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
    const refusal = judgeAgentStarts(context, config, agents);
    if (refusal) throw refusal;
    return findNotThere(context, config, { root, programs: also });
  }
  await readyImage(context, dockerHost(context), { config, root });
  // At once: each check is its own container.
  const programs = agents.map((name) => programOf(withAgent(config, name)));
  const missing = await findNotThere(context, config, { root, programs: [...programs, ...also] });
  const lost = agents.find((_, at) => missing.includes(programs[at] ?? ''));
  if (lost === undefined) return missing;
  throw missingProgram(
    withAgent(config, lost),
    `is missing in the image ${imageOf(context, config, root)}`,
    'Install it there: sandbox.agents, sandbox.setup, or an image of your own (docker/README.md).',
  );
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
