// What a run's messages are made from. The rest is loaded only if a run has addresses.

import { formatPlace, type LoadedConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { Failure } from '../failure.ts';
import { secretContent } from '../git/tree/secret.ts';
import type { Secret } from '../journal/mask.ts';
import type { Channel } from '../notify/channel.ts';
import type { RunProgram, Tools } from '../notify/deliver.ts';
import { childEnvironment } from '../process/environment.ts';
import type { Reporter } from '../report/reporter.ts';
import { cleanText } from '../report/text/line.ts';
import type { CliContext } from './context.ts';
import { runQuietly } from './run-quietly.ts';

export async function readChannels({
  config,
  origins,
}: Pick<LoadedConfig, 'config'> & Partial<Pick<LoadedConfig, 'origins'>>): Promise<readonly Channel[]> {
  const { urls } = config.notify;
  if (urls.length === 0) return [];
  const { readChannel } = await import('../notify/channel.ts');
  return urls.map((url, index) => {
    const channel = readChannel(url);
    if (!('problem' in channel)) return channel;
    const origin = origins?.get('notify.urls');
    const place = origin ? `${formatPlace(origin)} ` : '';
    throw new Failure('config', `${place}notify.urls, entry ${index + 1}: ${channel.problem}`, {
      hint: 'docs/messages.md has an example of each; `pawl notify test` sends one message to each address.',
    });
  });
}

export function secretsOf(channels: readonly Channel[]): readonly Secret[] {
  return channels.flatMap(({ name, secrets }) => secrets.map((value) => ({ name, value })));
}

/** None without channels; `tell`: reports failures. */
export async function createMessages(
  context: CliContext,
  channels: readonly Channel[],
  { config, commonDir, tell }: Readonly<{ config: Config; commonDir: string; tell: (text: string) => void }>,
): Promise<readonly Reporter[]> {
  if (channels.length === 0) return [];
  const [{ Notifier }, { deliver }] = await Promise.all([
    import('../notify/notifier.ts'),
    import('../notify/deliver.ts'),
  ]);
  const tools = deliveryTools(context);
  const linkOf = await context.loadDashboardLink?.();
  const notifier = new Notifier({
    channels,
    on: config.notify.on,
    deliver: (channel, message) => deliver(channel, message, tools),
    tell,
    clean: cleanWords,
    ...(linkOf ? { dashboard: (run) => linkOf(context.folders, { commonDir, run }) } : {}),
    now: () => context.now().getTime(),
    after,
  });
  return [notifier];
}

export function deliveryTools(context: CliContext): Tools {
  return { runProgram: programRunner(context), timeoutMs: 10_000 };
}

/** An agent's words as they may leave the machine: without code blocks and what looks like a key. */
export function cleanWords(text: string): string {
  const prose = text.replaceAll(/^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1[ \t]*$|(?![\s\S]))/gm, '[code]');
  return secretContent(prose) === undefined ? cleanText(prose) : '[left out: it seems to hold a secret]';
}

function programRunner(context: CliContext): RunProgram {
  return async ({ file, args, stdin }, timeoutMs) => {
    const env = childEnvironment(context.env);
    // A run that is being stopped still reports that.
    const quiet = { ...context, env, signal: new AbortController().signal };
    const { code, stderr, missing } = await runQuietly(quiet, file, args, { timeoutMs, stdin });
    if (missing) return `${file} cannot be started`;
    if (code === 0) return undefined;
    return code === null ? `${file} was ended after ${timeoutMs / 1_000} s` : `exit ${code} ${stderr}`;
  };
}

function after(ms: number, act: () => void): Disposable {
  // A timer of more than 24 days would fire at once.
  const timer = setTimeout(act, Math.min(ms, 2 ** 31 - 1)).unref();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
