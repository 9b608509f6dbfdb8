// Loads the settings for commands that start no run.
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { isTrusted } from './consent.ts';
import type { CliContext } from './context.ts';
import { findPlace } from './locate.ts';

export function rootOf({ cwd }: Pick<CliContext, 'cwd'>): string {
  return findPlace(cwd)?.root ?? cwd;
}

/** The repository's own file counts only if it is trusted. */
export function loadSettings(
  context: CliContext,
  more: Readonly<Partial<Pick<Parameters<typeof loadConfig>[0], 'root' | 'trusted' | 'flags'>>> = {},
): LoadedConfig {
  const { env, folders } = context;
  const root = more.root ?? rootOf(context);
  return loadConfig({ env, folders, trusted: more.trusted ?? isTrusted(context, root), ...more, root });
}
