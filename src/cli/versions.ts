// The versions of everything involved. Reads the user's settings, never the project's.
import { programOf } from '../agent/agents.ts';
import type { CliContext } from '../start/context.ts';
import { loadSettings } from '../start/load-settings.ts';
import { runQuietly } from '../start/run-quietly.ts';

/** `pawl --version --json`. `agent.version` is null if it cannot be started. */
export type Versions = Readonly<{
  pawl: string;
  node: string;
  os: string;
  agent: Readonly<{ command: string; version: string | null }>;
}>;

export async function readVersions(context: CliContext): Promise<Versions> {
  const { config } = loadSettings(context, { root: context.cwd, trusted: false });
  const command = programOf(config);
  const answer = await runQuietly(context, command, ['--version']);
  return {
    pawl: context.version,
    node: context.nodeVersion,
    os: `${context.platform}`,
    agent: { command, version: answer.code === 0 ? (answer.stdout.trim().split('\n')[0] ?? null) : null },
  };
}
