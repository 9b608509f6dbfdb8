// Loads the configuration for one start, given what is trusted.
import { accessSync, constants, existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { agentNamesOf, commandKey, shippedNameOf } from '../agent-name.ts';
import { Failure, whyUnread } from '../failure.ts';
import { orElse } from '../or-else.ts';
import type { Plan } from '../plan/plan.ts';
import { inHome } from './agent-settings.ts';
import type { Folders } from './folders.ts';
import {
  type LayerName,
  type LayerSetting,
  type Merged,
  mergeSettings,
  nest,
  type Origin,
  type Problem,
  readCaps,
  type SettingsLayer,
} from './layer.ts';
import { type Config, configSchema } from './schema.ts';
import { findKey, keys } from './setting-keys.ts';
import { fillNamed, type StageSettings } from './stages.ts';
import { envName, readEnvLayer, readPlanLayer } from './text-layer.ts';
import { readYamlLayer } from './yaml-layer.ts';

export type ConfigSources = Readonly<{
  /** The repository's, or the current folder outside one. */
  root: string;
  env: Readonly<Record<string, string | undefined>>;
  folders: Folders;
  /** Whether the project's own file may be read. */
  trusted: boolean;
  flags?: SettingsLayer;
  frontMatter?: Readonly<{ file: string; settings: Plan['settings'] }>;
}>;

/** `settings`: by key, also of default values; `value`: undefined if not set and without default. */
export type LoadedConfig = Readonly<ReturnType<typeof loadConfig>>;

export function projectConfigFile(root: string): string {
  return path.join(root, '.pawl', 'config.yaml');
}

export function userConfigFile(folders: Folders): string {
  return path.join(folders.config, 'config.yaml');
}

/** All problems in all layers are one Failure('config'). */
export function loadConfig(sources: ConfigSources) {
  const layers: readonly ReadLayer[] = [
    sources.flags ?? noLayer,
    readEnvLayer(sources.env),
    sources.frontMatter ? readPlanLayer(sources.frontMatter.settings, sources.frontMatter.file) : noLayer,
    readProject(sources),
    readFile(userConfigFile(sources.folders), 'user'),
  ];
  const all = layers.flatMap(({ settings }) => settings);
  const problems = [...layers.flatMap((layer) => layer.problems), ...all.flatMap(judgeOrigin)];
  if (problems.length > 0) throw failureOf(problems);
  const merged = mergeSettings(all);
  const parsed = parseMerged(merged, all);
  const config: Config = { ...parsed, agent: onThisMachine(parsed, sources) };
  const contradictions = judgeTogether(config, merged.settings);
  if (contradictions.length > 0) throw failureOf(contradictions);
  const settings: ReadonlyMap<string, LayerSetting> = new Map(
    keys.map(({ name, default: value }) => [
      name,
      merged.settings.get(name) ?? { key: name, value, origin: { layer: 'default' } },
    ]),
  );
  return {
    config,
    settings,
    caps: readCaps(all, sources.root),
    files: layers.flatMap(({ files = [] }) => files),
    notices: [...layers.flatMap(({ notice = [] }) => notice), ...merged.notices],
  };
}

function onThisMachine({ agent, sandbox }: Config, { folders, env }: ConfigSources): Config['agent'] {
  const { claude, logins } = agent;
  const place = { home: folders.home, searchPath: env['PATH'] };
  const own = Object.entries(logins).map(([name, login]) => [name, inHome(login, folders.home)]);
  // A sandbox has programs of its own.
  const command = sandbox.kind === 'none' ? orLocalClaude(claude.command, place) : claude.command;
  return { ...agent, claude: { ...claude, command }, logins: Object.fromEntries(own) };
}

function parseMerged({ settings }: Merged, all: readonly LayerSetting[]): Config {
  const definitions = all.flatMap(({ key, value }) =>
    key === 'review.stages' ? (value as StageSettings) : [],
  );
  const values = [...settings].map(([name, { value }]) => {
    if (name !== 'review.stages') return [name, value] as const;
    return [name, fillNamed(value as StageSettings, definitions)] as const;
  });
  try {
    return configSchema.parse(nest(values));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { message, hint } = error;
    const origin = settings.get('review.stages')?.origin ?? { layer: 'default' };
    throw failureOf([{ origin, text: hint === undefined ? message : `${message}. ${hint}` }]);
  }
}

export function refuseLayer({ problems }: SettingsLayer): void {
  if (problems.length > 0) throw failureOf(problems);
}

const noLayer: SettingsLayer = { settings: [], problems: [] };

type LayerFile = Readonly<{ layer: LayerName; file: string; read: boolean }>;
type ReadLayer = SettingsLayer & Readonly<{ files?: readonly LayerFile[]; notice?: string }>;

function readProject({ root, trusted }: ConfigSources): ReadLayer {
  const file = projectConfigFile(root);
  if (trusted) return readFile(file, 'project', root);
  if (!lstatSync(file, { throwIfNoEntry: false })) return noLayer;
  const notice = '.pawl/config.yaml is not read: this repository is not trusted; see `pawl trust`';
  return { ...noLayer, files: [{ layer: 'project', file, read: false }], notice };
}

function readFile(file: string, layer: LayerName, root?: string): ReadLayer {
  // Consent covers the bytes below .pawl/: a link would bring in others, and a pipe be waited for.
  const isOwn = (whole: string) => realpathSync(file) === projectConfigFile(realpathSync(whole));
  if (root && existsSync(file) && (!isOwn(root) || statSync(file).isFIFO()))
    throw new Failure('config', `${file} is a pipe or a symbolic link, or lies behind one`, {
      hint: 'Put the file itself there: consent covers its bytes, not those of another file.',
    });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      throw new Failure('config', `${file} cannot be read: ${whyUnread(error)}`, { cause: error });
    const other = file.replace(/\.yaml$/, '.yml');
    if (existsSync(other))
      throw new Failure('config', `${other} is not read under this name`, { hint: `Rename it to ${file}.` });
    return noLayer;
  }
  return { ...readYamlLayer(text, layer, file), files: [{ layer, file, read: true }] };
}

/** Of a project's settings, these open a sandbox or send something elsewhere: up to the user. */
const usersOwn = /^(?:sandbox\.(?:mounts|protect|env|egress|allow)$|(?:notify|fleet)\.)/;

/** Everybody on the machine can read a command line. */
function judgeOrigin({ key, value, origin }: LayerSetting): Problem[] {
  const isSecret = findKey(key)?.secret ?? false;
  const isOwn = usersOwn.test(key);
  const own = `your own config.yaml (pawl config path), or ${isSecret ? `the variable ${envName(key)}` : 'the command line'}`;
  const text = `${key} holds secrets, and a command line can be read by everybody here; use ${own}`;
  if (origin.layer === 'flag' && isSecret) return [{ origin, text }];
  if (origin.layer !== 'project') return [];
  if (!isOwn && (key !== 'sandbox.kind' || value === 'docker')) return [];
  const named = isOwn ? key : `${key}: ${value}`;
  return [{ origin, text: `${named} is not a project’s to set; it belongs into ${own}` }];
}

function failureOf(problems: readonly Problem[]): Failure {
  const lines = problems.map(({ origin, text }) => `${formatPlace(origin)} ${text}`);
  const all = [`${lines.length} problems in the configuration`, ...lines.map((line) => `  ${line}`)];
  const hint = 'All settings and their meaning: pawl config schema';
  return new Failure('config', (lines.length === 1 ? lines : all).join('\n'), { hint });
}

/** As an error begins with it. */
export function formatPlace({ file, line, column, layer }: Origin): string {
  if (file === undefined) return `${layer}:`;
  return line === undefined ? `${file}:` : `${file}:${line}:${column ?? 1}`;
}

/** That program only if the command is `claude` and no folder of PATH has it. */
export function orLocalClaude(
  command: string,
  { home, searchPath = '' }: Readonly<{ home: string; searchPath?: string | undefined }>,
): string {
  if (command !== 'claude') return command;
  if (searchPath.split(':').some((folder) => mayRun(path.join(folder, command)))) return command;
  const local = path.join(home, '.claude', 'local', 'claude');
  return mayRun(local) ? local : command;
}

function mayRun(file: string): boolean {
  return orElse(() => {
    accessSync(file, constants.X_OK);
    return true;
  }, false);
}

function judgeTogether(config: Config, settings: ReadonlyMap<string, LayerSetting>): Problem[] {
  const originOf = (key: string): Origin => settings.get(key)?.origin ?? { layer: 'default' };
  const { name, fallback } = config.agent;
  const stages = config.review.stages.flatMap(({ agent }) => agent ?? []);
  const named = { 'agent.name': [name], 'agent.fallback': fallback, 'review.stages': stages };
  const names = agentNamesOf(config);
  const unknown = Object.entries(named).flatMap(([key, all]) =>
    all
      .filter((each) => !names.includes(each))
      .map((each) => ({
        origin: originOf(key),
        text: `${key}: there is no agent ${each}. There are ${names.join(', ')}`,
      })),
  );
  if (unknown.length > 0) return unknown;
  const shipped = shippedNameOf(config);
  const text = `agent.name ${name} needs ${commandKey(shipped)}, the program to run`;
  return config.agent[shipped].command === undefined ? [{ origin: originOf('agent.name'), text }] : [];
}
