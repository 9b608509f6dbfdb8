// What the system lacks if it cannot start any program at all. Retrying does not help.
import { Failure } from '../failure.ts';

const lacks: Readonly<Record<string, readonly [says: string, helps: string]>> = {
  EMFILE: ['pawl has too many files open', 'Raise the limit on open files (`ulimit -n 1024`)'],
  ENFILE: ['the system has too many files open', 'End other programs, or raise its limit (fs.file-max)'],
  EAGAIN: [
    'the system allows no more processes',
    'End other programs, or raise the limit on processes (`ulimit -u`, or the pids limit of the container)',
  ],
  ENOMEM: ['the system has no memory left', 'End other programs, or give the machine more memory'],
};

/** Failure('environment') for an error that says so; undefined for any other. */
export function startLack(program: string, error: Error): Failure | undefined {
  const lack = lacks[(error as NodeJS.ErrnoException).code ?? ''];
  if (!lack) return undefined;
  const [says, helps] = lack;
  return new Failure('environment', `${program} could not be started: ${says}`, {
    hint: `${helps}, and run the same command again.`,
    cause: error,
  });
}
