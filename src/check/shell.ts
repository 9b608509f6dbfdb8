// The shell that runs checks.
import path from 'node:path';
import { Failure } from '../failure.ts';
import { findProgram } from '../process/find-program.ts';

/** `args`: before a check's command. */
export type Shell = Readonly<{ name: 'bash' | 'sh'; file: string; args: readonly string[] }>;

/** `bash -eo pipefail -c`, else `sh -e -c`, by PATH; throws a Failure `environment` if there is neither. */
export async function findShell(env: Readonly<Record<string, string | undefined>>): Promise<Shell> {
  // A relative folder would be the repository's own.
  const folders = (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(':').filter(path.isAbsolute);
  const bash = findProgram('bash', folders.join(':'));
  if (bash !== undefined) return { name: 'bash', file: bash, args: ['-eo', 'pipefail', '-c'] };
  const sh = findProgram('sh', folders.join(':'));
  if (sh !== undefined) return { name: 'sh', file: sh, args: ['-e', '-c'] };
  throw new Failure('environment', 'neither bash nor sh is in PATH, so no check can be run', {
    hint: 'Install bash, or put its folder into PATH.',
  });
}

/**
 * The line at the output's end by which a shell or launcher says, with 126 or 127, that a program could not start. A
 * program's own such exit is just red.
 */
export function findStartComplaint(exitCode: number | null, output: string): string | undefined {
  if (exitCode !== 126 && exitCode !== 127) return undefined;
  const lines = output.trimEnd().split('\n').slice(-lineReach).reverse();
  return lines.find((line) => complaints.some((shape) => shape.test(line)))?.trim();
}

/** npm and others print lines of their own after the shell's. */
const lineReach = 40;

/** By form, since the words depend on the language: `bash: line 1: x: …`, `sh: 1: x: not found`, `env: ‘x’: …`. */
const complaints: readonly RegExp[] = [
  /^(?:\S*\/)?-?(?:ba|da|z|k|a|mk)?sh: (?:[^:]*\d+: )?[^:]+: /,
  /^\S+: (?:line )?\d+: .+: (?:command not found|not found|Permission denied|No such file or directory|cannot execute.*|Is a directory|bad interpreter.*)$/,
  /^(?:\S*\/)?(?:env|timeout|nice|nohup|stdbuf|xargs|setsid|sudo|chroot|ionice): .*(?:No such file or directory|Permission denied|command not found|failed to run command|failed to execute).*$/,
  /: exec format error|: Exec format error|: bad interpreter: /,
];
