// An environment moved from one tree to another. Pure.
import { isAtOrBelow } from '../below.ts';

export type Env = Readonly<Record<string, string>>;

/** Paths in every value, as in PATH; HOME and pawl's own variables stay. */
export function moveEnv(env: Env, from: string, to: string): Env {
  const entries = Object.entries(env).map(([name, value]): [string, string] => {
    if (name.startsWith('PAWL_') || name === 'HOME' || !value.includes(from)) return [name, value];
    return [
      name,
      value
        .split(':')
        .map((entry) => movePath(entry, from, to))
        .join(':'),
    ];
  });
  return Object.fromEntries(entries);
}

export function movePath(file: string, from: string, to: string): string {
  return isAtOrBelow(file, from) ? `${to}${file.slice(from.length)}` : file;
}
