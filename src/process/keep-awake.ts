// Keeps the machine awake while a run works, by a system program, if any, that cannot outlive pawl.
import { findProgram } from './find-program.ts';
import { startBeside } from './spawn.ts';

/** `cat` exits with pawl's end of the pipe. Undefined: the system has no such program. */
export function awakeCommand(
  platform: string,
  searchPath: string | undefined,
): readonly [string, ...string[]] | undefined {
  const [name, ...args] = commands[platform] ?? [];
  const file = name === undefined ? undefined : findProgram(name, searchPath);
  return file === undefined ? undefined : [file, ...args, 'cat'];
}

const commands: Readonly<Record<string, readonly [string, ...string[]]>> = {
  linux: ['systemd-inhibit', '--what=idle:sleep', '--who=pawl', '--why=a run is at work', '--mode=block'],
  darwin: ['caffeinate', '-i'],
};

/** Disposing lets the machine sleep. A refusal does not affect the run. */
export function keepAwake(
  command: readonly [string, ...string[]] | undefined,
  env: Readonly<Record<string, string>>,
): Disposable {
  const child = command && startBeside(command, env);
  return { [Symbol.dispose]: () => child?.stdin?.end() };
}
