// Whether a check's program exists, or a task may create it. Looks only at the first command; if in doubt, says
// nothing.
import { type Check, isClosed, type Plan, type Task } from './plan.ts';

/** `isBrought`: an earlier task mentions the program. `says`: what is missing, if a file, script or target. */
export type NeededProgram = Readonly<{ check: Check; program: string; isBrought: boolean; says?: string }>;

/** By open tasks' checks and by `checks`, the shared ones. */
export function programsOf(plan: Plan, checks: readonly Check[]): readonly NeededProgram[] {
  return findLacking(plan, checks, ({ command }) => {
    const name = firstProgram(command);
    return name === undefined ? undefined : { name };
  });
}

export function findLacking(
  plan: Plan,
  checks: readonly Check[],
  lackOf: (check: Check) => Readonly<{ name: string; says?: string }> | undefined,
): readonly NeededProgram[] {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const wanted = [
    ...checks.map((check) => ({ check, upTo: 1 })),
    ...open.flatMap((task, at) => task.checks.map((check) => ({ check, upTo: at + 1 }))),
  ];
  if (open.length === 0) return [];
  return wanted.flatMap(({ check, upTo }) => {
    const lack = check.knownRed ? undefined : lackOf(check);
    if (lack === undefined) return [];
    const { name: program, ...says } = lack;
    const before = check.atEnd ? open : open.slice(0, upTo);
    const isBrought = [plan.overview, ...before.map(wordsOf)].some((text) => speaksOf(text, program));
    return [{ check, program, isBrought, ...says }];
  });
}

/** As searched on PATH; undefined if uncertain. */
export function firstProgram(command: string): string | undefined {
  if (ownNames.test(command)) return undefined;
  const first = command.split('\n').find((line) => !/^\s*(#|$)/.test(line)) ?? '';
  const word = /^\s*(?:(?!PATH=)[A-Za-z_]\w*=[\w./:@%+,-]*\s+)*([A-Za-z][\w.+-]{0,254})(?=[\s;|&<>]|$)/.exec(
    first,
  )?.[1];
  return word === undefined || shellWords.has(word) ? undefined : word;
}

/** With these, a name may be the command's own. */
const ownNames = /\(\)|\bfunction\b|\balias\b|\bPATH=|(^|[\s;&|])(source|\.|eval)\s/m;

const shellWords: ReadonlySet<string> = new Set(
  (
    'alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown do done ' +
    'echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs ' +
    'kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source ' +
    'suspend test then time times trap true type typeset ulimit umask unalias unset until wait while'
  ).split(' '),
);

export function wordsOf({ source, checks, place }: Task): string {
  const named = new Set(checks.map((check) => check.place.line - place.line));
  return source
    .split('\n')
    .filter((_, at) => !named.has(at))
    .join('\n');
}

/** As a whole word. No regular expression is built from it: it may be of any length. */
export function speaksOf(text: string, program: string): boolean {
  const [line, name] = [text.toLowerCase(), program.toLowerCase()];
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + name.length))
    if (!/[\w-]/.test(`${line.charAt(at - 1)} ${line.charAt(at + name.length)}`)) return true;
  return false;
}
