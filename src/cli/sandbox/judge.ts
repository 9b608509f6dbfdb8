// Whether the sandbox that the settings ask for can be had, known before a run touches anything. It starts none.
import { statSync } from 'node:fs';
import { programOf } from '../../agent/shipped.ts';
import type { Config } from '../../config/schema.ts';
import { Failure } from '../../failure.ts';
import { judgeEnvEntry } from '../../sandbox/crossing.ts';
import { findEngine } from '../../sandbox/docker.ts';
import { parseHostRule } from '../../sandbox/egress.ts';
import { readMounts } from '../../sandbox/mounts.ts';
import { judgeAgentStart } from '../agent-start.ts';
import type { CliContext } from '../context.ts';
import { dockerHost } from './host.ts';
import { imageOf, readyImage } from './image.ts';
import { judgeBwrap } from './open-process.ts';
import { findMissingInside } from './programs.ts';

/** Whether agents can be started where the settings say that they run; throws a Failure that says what is missing. */
export async function judgeAgents(context: CliContext, config: Config, root: string): Promise<void> {
  if (config.sandbox.kind !== 'none') {
    await judgeSandbox(context, config, root);
    if (config.sandbox.kind === 'docker') await judgeImage(context, config, root);
    return;
  }
  const refusal = judgeAgentStart(context, config);
  if (refusal) throw refusal;
}

/** The image is there, built if need be, and holds the agent: a session is not what finds that out. */
async function judgeImage(context: CliContext, config: Config, root: string): Promise<void> {
  await readyImage(context, dockerHost(context), { config, root });
  const program = programOf(config);
  const missing = await findMissingInside(context, { sandbox: config.sandbox, root, programs: [program] });
  if (!missing?.includes(program)) return;
  throw new Failure(
    'agent-refused',
    `the agent’s program ${program} is not in the image ${imageOf(context, config, root)}`,
    { hint: 'Install it there: sandbox.setup, or an image of your own (docker/README.md).' },
  );
}

/** The same but for the image; nothing is made. */
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
      `${root} belongs to another user (uid ${owner}): a sandbox would have to write as that user`,
      {
        hint: 'Run pawl as the user whose repository it is.',
      },
    );
  if (sandbox.kind === 'process') return judgeBwrap(context);
  const { os } = await findEngine(dockerHost(context));
  if (os !== 'linux')
    throw new Failure('environment', `docker’s engine runs ${os} containers; the sandbox needs Linux ones`);
}
