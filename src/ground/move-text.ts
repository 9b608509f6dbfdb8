// Replaces paths of one tree in a text by another's, whatever name they lead there by.
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow, isBelow } from '../below.ts';
import { orElse } from '../or-else.ts';

/** Absolute paths and `file:` URLs at or below `from`. */
export function moveText(text: string, from: string, to: string): string {
  return text.replaceAll(/(?:file:\/\/)?\/[^\s'":;,)\]]*/g, (word) => {
    const scheme = word.startsWith('file://') ? 'file://' : '';
    return scheme + moveReal(word.slice(scheme.length), from, to);
  });
}

export function moveReal(file: string, from: string, to: string): string {
  if (isAtOrBelow(file, from)) return movePath(file, from, to);
  const real = orElse(() => realpathSync(file), file);
  return isAtOrBelow(real, from) ? movePath(real, from, to) : file;
}

/** Yarn's plug and play names packages of a global cache by relative paths (4.18). */
export function moveLocations(
  text: string,
  folder: string,
  { from, to }: Readonly<{ from: string; to: string }>,
): string {
  return text.replaceAll(/("packageLocation": ")(\.\.\/[^"]*)/g, (all, key: string, location: string) => {
    const file = path.resolve(from, folder, location);
    if (isAtOrBelow(file, from)) return all;
    return `${key}${path.relative(path.join(to, folder), file)}${location.endsWith('/') ? '/' : ''}`;
  });
}

/** By these an installed thing finds its tree. */
export const pathFile = /\.(pth|egg-link)$|^(__editable__.*|direct_url\.json|pyvenv\.cfg|\.pnp\..*)$/;

/** Activated Python environments outside the tree that lead into it. */
export function findLeadingIn(env: Readonly<Record<string, string>>, root: string): readonly string[] {
  const active = [env['VIRTUAL_ENV'], env['CONDA_PREFIX']].filter((each) => each !== undefined);
  return active.filter((folder) => {
    if (isBelow(folder, root)) return false;
    const versions = list(path.join(folder, 'lib')).filter((name) => name.startsWith('python'));
    return versions.some((version) => {
      const packages = path.join(folder, 'lib', version, 'site-packages');
      return list(packages)
        .filter((name) => pathFile.test(name) && !name.endsWith('.pyc'))
        .map((name) => orElse(() => readFileSync(path.join(packages, name), 'utf8'), ''))
        .some((text) => moveText(text, root, '/') !== text);
    });
  });
}

function list(folder: string): readonly string[] {
  return orElse(() => readdirSync(folder), []);
}

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
