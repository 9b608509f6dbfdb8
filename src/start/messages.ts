// Where a run is told of besides this screen: messages and telemetry, loaded only if it has addresses, and the secrets
// in these.
import { readFileSync } from 'node:fs';
import type { SettingsLayer } from '../config/layer.ts';
import { formatPlace, type LoadedConfig, userConfigFile } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { readEnvLayer } from '../config/text-layer.ts';
import { readYamlLayer } from '../config/yaml-layer.ts';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import { secretContent } from '../git/tree/secret.ts';
import { maskSecrets, type Secret, secretsOfAddress, secretsOfVariable } from '../journal/mask.ts';
import type { Channel } from '../notify/channel.ts';
import type { RunProgram, Tools } from '../notify/deliver.ts';
import { orElse } from '../or-else.ts';
import type { Place } from '../place/place.ts';
import { childEnvironment } from '../process/environment.ts';
import type { Reporter } from '../report/reporter.ts';
import { cleanText } from '../report/text/line.ts';
import { shorten } from '../shorten.ts';
import { readTelemetry } from '../telemetry/read-telemetry.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { type CliContext, printNote } from './context.ts';
import { runQuietly } from './run-quietly.ts';

export async function readChannels({
  config,
  settings,
}: Pick<LoadedConfig, 'config'> & Partial<Pick<LoadedConfig, 'settings'>>): Promise<readonly Channel[]> {
  const { urls } = config.notify;
  if (urls.length === 0) return [];
  const { readChannel } = await import('../notify/channel.ts');
  return urls.map((url, index) => {
    const channel = readChannel(url);
    if (!('problem' in channel)) return channel;
    const origin = settings?.get('notify.urls')?.origin;
    const place = origin ? `${formatPlace(origin)} ` : '';
    throw new Failure('config', `${place}notify.urls, entry ${index + 1}: ${channel.problem}`, {
      hint: 'docs/messages.md has an example of each; `pawl notify test` sends one message to each address.',
    });
  });
}

/** Keeps secrets of environment and user's settings out of text beside a run. A broken file stops nobody. */
export async function maskKnown({ env, folders }: Pick<CliContext, 'env' | 'folders'>) {
  const file = userConfigFile(folders);
  const text = orElse(() => readFileSync(file, 'utf8'), '');
  const layers = [readEnvLayer(env), readYamlLayer(text, 'user', file)];
  return maskSecrets(env, (await Promise.all(layers.map(secretsOf))).flat());
}

/** Though another layer takes precedence: an earlier start may have had them. */
async function secretsOf({ settings }: SettingsLayer): Promise<readonly Secret[]> {
  const settingOf = <T>(name: string) => settings.find(({ key }) => key === name)?.value as T | undefined;
  const given = variablesIn(settingOf('agents'), settingOf('sandbox.env'));
  return [...given, ...(await secretsIn(settingOf('notify.urls') ?? [], settingOf('fleet.url')))];
}

/** Of agents' sessions; `inside`: of a sandbox, as NAME=value. */
function variablesIn(agents: object = {}, inside: readonly string[] = []): readonly Secret[] {
  const own = Object.values<{ env?: Record<string, string> }>({ ...agents });
  const given = own.flatMap(({ env = {} }) => Object.entries(env));
  const named = inside.map((entry) => entry.split(/=(.*)/s) as [string, string?]);
  return [...given, ...named].flatMap(secretsOfVariable);
}

async function secretsIn(urls: readonly string[], fleet: string | undefined): Promise<readonly Secret[]> {
  const named = (name: string, values: readonly string[]) => values.map((value) => ({ name, value }));
  const ofFleet = named('fleet.url', secretsOfAddress(fleet ?? ''));
  if (urls.length === 0) return ofFleet;
  const { readChannel } = await import('../notify/channel.ts');
  const ofChannels = urls.flatMap((url) => {
    const channel = readChannel(url);
    // In an invalid address nobody knows which part is secret.
    if ('problem' in channel) return named('notify.urls', [url]);
    return channel.secrets.map((value) => ({ name: channel.name, value }));
  });
  return [...ofFleet, ...ofChannels];
}

/** None without channels, or in a dialogue, where somebody is there; `tell`: reports failures. */
async function createMessages(
  context: CliContext,
  { config, commonDir, isDialogue }: ElsewhereRequest,
  tell: (text: string) => void,
): Promise<readonly Reporter[]> {
  const channels = await readChannels({ config });
  if (isDialogue || channels.length === 0) return [];
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
    // A timer of more than 24 days would fire at once.
    after: (ms, act) => setTimeout(act, Math.min(ms, 2 ** 31 - 1)).unref(),
  });
  return [notifier];
}

/** An agent's words as they may leave the machine: without code blocks and what looks like a key. */
export function cleanWords(text: string): string {
  const prose = text.replaceAll(/^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1[ \t]*$|(?![\s\S]))/gm, '[code]');
  return secretContent(prose) === undefined ? cleanText(prose) : '[left out: it seems to hold a secret]';
}

export function deliveryTools(context: CliContext): Tools {
  const env = childEnvironment(context.env);
  // A run that is being stopped still reports that.
  const quiet = { ...context, env, signal: new AbortController().signal };
  const runProgram: RunProgram = async (command, stdin, timeoutMs) => {
    const { code, stderr, missing } = await runQuietly(quiet, 'sh', ['-c', command], { timeoutMs, stdin });
    if (missing) return 'sh cannot be started';
    if (code === 0) return undefined;
    return code === null ? `sh was ended after ${timeoutMs / 1_000} s` : `exit ${code} ${stderr}`;
  };
  return { runProgram, timeoutMs: 10_000 };
}

/** `mask`: keeps secrets of the environment and of the reporters' settings out of a text. */
export type Elsewhere = Readonly<Awaited<ReturnType<typeof createElsewhere>>>;

type ElsewhereRequest = Readonly<{ config: Config; commonDir: string; isDialogue: boolean }>;

export async function createElsewhere(context: CliContext, request: ElsewhereRequest) {
  const { config } = request;
  let place: Place | undefined;
  const teller = (code: string) => (text: string) => {
    try {
      if (place) place.run.emit({ type: 'noticed', code, text });
      else printNote(context, text);
    } catch {
      // If the journal cannot be written, the run will fail on that itself.
      printNote(context, text);
    }
  };
  const messages = await createMessages(context, request, teller('messages'));
  const telemetry = await createTelemetry(context, teller('telemetry'));
  const { agent, fleet, notify, sandbox } = config;
  const given = variablesIn({ ...agent, ...agent.logins }, sandbox.env);
  return {
    reporters: [...messages, ...(telemetry ? [telemetry] : [])],
    mask: maskSecrets(context.env, [...given, ...(await secretsIn(notify.urls, fleet.url))]),
    options: defined({ traceSession: telemetry?.variablesOf.bind(telemetry) }),
    open: (opened: Place) => {
      place = opened;
    },
  };
}

/** If that fails, says so, and the run continues without. */
async function createTelemetry(
  context: CliContext,
  tell: (text: string) => void,
): Promise<Telemetry | undefined> {
  const { env, version } = context;
  const target = readTelemetry(env);
  if (!target) return undefined;
  if ('problem' in target) {
    tell(`Telemetry is off: ${target.problem}.`);
    return undefined;
  }
  const { Telemetry } = await import('../telemetry/telemetry.ts');
  let isTold = false;
  const tellOnce = (why: string) => {
    if (!isTold)
      tell(`Telemetry does not arrive at ${target.shown}: ${shorten(why.replaceAll(/\s+/g, ' '), 200)}`);
    isTold = true;
  };
  const { protocol } = target;
  return new Telemetry({ protocol, version, tell: tellOnce, resource: env['OTEL_RESOURCE_ATTRIBUTES'] });
}
